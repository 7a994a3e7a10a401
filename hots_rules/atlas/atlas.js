// Shows the pictures of an atlas, and narrows its table to the rows that the words in its box are about.
"use strict";
for (const place of document.querySelectorAll("[data-picture]")) {
  const drawn = window.atlasPictures;
  const numbers = drawn && drawn.pictures[place.dataset.picture];
  if (numbers) place.innerHTML = numbers.map((number) => drawn.parts[number]).join("");
}
for (const box of document.querySelectorAll(".atlas-find")) {
  const input = box.querySelector("input"),
    output = box.querySelector("output");
  const idle = new Set(input.dataset.idle.split(" "));
  const sections = box.parentElement.querySelector(".atlas-ways");
  const bodies = box.parentElement.querySelectorAll(".atlas-table tbody");
  // The same rules as in explain/word_search.py.
  const wordsOf = (text) =>
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) || [];
  const stem = (word) => word.replace(/(?<=[\p{L}\p{N}]{3})(ies|es|s|ing|ed|y|e)$/u, "");
  const isAbout = (row, query) => {
    const section = query.trim().match(/^§?\s*(\d+(?:\.\d+)*)$/);
    if (section) return row.dataset.sections.split(" ").some((each) => isWithin(each, section[1]));
    const asked = wordsOf(query)
      .filter((word) => !idle.has(word))
      .map(stem);
    const words = row.dataset.words.split(" ");
    return asked.every((each) => words.some((word) => word.startsWith(each)));
  };
  const isWithin = (number, section) =>
    number === section ||
    number.startsWith(section + ".") ||
    (section.includes(".") && number.startsWith(section) && /^\d+$/.test(number.slice(section.length)));
  const narrow = () => {
    let count = 0;
    for (const body of bodies) {
      const rows = [...body.querySelectorAll("tr[data-words]")];
      for (const row of rows) row.hidden = !isAbout(row, input.value);
      const visible = rows.filter((row) => !row.hidden).length;
      body.hidden = visible === 0;
      count += visible;
    }
    // What was found stands right below the box.
    if (sections) sections.hidden = input.value.trim() !== "";
    output.textContent = input.value.trim() ? `${count} found` : "";
  };
  input.addEventListener("input", narrow);
  input.value = new URLSearchParams(location.search).get("q") || "";
  box.hidden = false;
  narrow();
}
