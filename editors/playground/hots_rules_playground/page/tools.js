// What is done with the whole folder: an example, a link, opening and exporting.
import { make } from "./table/parts/dom.js";
import { exportFolder, openFiles, opensFolders, pickFolder } from "./folder.js";
import { pack } from "./share.js";

export function offerTools(place, page) {
  const examples = make(
    "select",
    {
      name: "example",
      "aria-label": "Examples",
      onchange: () => {
        const chosen = page.known.examples[Number(examples.value)];
        examples.value = "";
        attempt(() => page.openExample(chosen));
      },
    },
    make("option", { value: "" }, "Examples …"),
    ...page.known.examples.map((each, i) => make("option", { value: i }, each.title)),
  );
  const link = make("input", { readonly: true, hidden: true, "aria-label": "Link", id: "link", size: "12" });
  const share = async () => {
    const address = `${location.href.split("#")[0]}#${await pack(page.content)}`;
    link.value = address;
    link.hidden = false;
    link.select();
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    page.say(
      isCopied
        ? "The link is copied: the rules and the game are in it."
        : "Copy this link: the rules and the game are in it.",
    );
  };
  const opened = make("input", {
    type: "file",
    multiple: true,
    hidden: true,
    accept: ".zip,.rules,.md,.csv,.txt",
    onchange: () => read(opened),
  });
  const folder = make("input", { type: "file", webkitdirectory: true, hidden: true, onchange: () => read(folder) });
  const attempt = async (act) => {
    try {
      await act();
    } catch (error) {
      page.say(error.message);
    }
  };
  const read = async (input) => {
    await attempt(async () => {
      await page.open(await openFiles(input.files));
      page.say("The folder is open.");
    });
    input.value = "";
  };
  const pick = () =>
    attempt(async () => {
      const picked = await pickFolder();
      if (!picked) return;
      await page.open(picked.texts, null, picked);
      page.say("The folder is open. Save writes to it.");
    });
  const write = () =>
    attempt(async () => {
      const count = await page.folder.save(page.files.texts);
      page.say(count ? "The folder is saved." : "The folder has no changes.");
    });
  const button = (text, id, onclick) => make("button", { type: "button", id, onclick }, text);
  page.saving = button("Save", "save", write);
  page.saving.hidden = true;
  place.replaceChildren(
    examples,
    button("Open a folder", "open-folder", () => (opensFolders() ? pick() : folder.click())),
    page.saving,
    button("Open files", "open-files", () => opened.click()),
    button("Export", "export", () => exportFolder(page.files.texts)),
    button("Share", "share", share),
    link,
    opened,
    folder,
  );
}
