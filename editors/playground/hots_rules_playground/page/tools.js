// What is done with the whole folder: an example, a link, opening and exporting.
import { make } from "./table/dom.js";
import { exportFolder, openFiles } from "./folder.js";
import { pack } from "./share.js";

export function offerTools(place, page) {
  const examples = make("select", { name: "example", "aria-label": "Examples", onchange: () => { const chosen = page.known.examples[Number(examples.value)]; examples.value = ""; page.openExample(chosen).catch((error) => page.say(error.message)); } },
    make("option", { value: "" }, "Examples …"), ...page.known.examples.map((each, i) => make("option", { value: i }, each.title)));
  const link = make("input", { readonly: true, hidden: true, "aria-label": "Link", id: "link", size: "12" });
  const share = async () => {
    const address = `${location.href.split("#")[0]}#${await pack(page.content)}`;
    link.value = address;
    link.hidden = false;
    link.select();
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    page.say(isCopied ? "The link is copied: the rules and the game are in it." : "Copy this link: the rules and the game are in it.");
  };
  const opened = make("input", { type: "file", multiple: true, hidden: true, accept: ".zip,.rules,.md,.csv,.txt", onchange: () => read(opened) });
  const folder = make("input", { type: "file", webkitdirectory: true, hidden: true, onchange: () => read(folder) });
  const read = async (input) => {
    try {
      await page.open(await openFiles(input.files));
      page.say("The folder is open.");
    } catch (error) { page.say(error.message); }
    input.value = "";
  };
  const button = (text, id, onclick) => make("button", { type: "button", id, onclick }, text);
  place.replaceChildren(examples, button("Open a folder", "open-folder", () => folder.click()), button("Open files", "open-files", () => opened.click()),
    button("Export", "export", () => exportFolder(page.files.texts)), button("Share", "share", share), link, opened, folder);
}
