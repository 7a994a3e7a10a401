// A folder and a game in a link: JSON, compressed, behind `#`, which no server sees.
import { NAME } from "./names.js";

const VERSION = "1";
const MOST = 4_000_000; // characters of what a link may hold

export async function pack(content) {
  const packed = new Blob([JSON.stringify(content)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `${VERSION}.${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// What a link holds: files by name, and perhaps a game; null if there is nothing in it.
export async function unpack(fragment) {
  if (!fragment) return null;
  const [version, text] = fragment.split(".");
  if (version !== VERSION || !text) throw new Error("this link is of another version of the playground, or was cut");
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return checked(JSON.parse(await inflated(bytes)));
  } catch {
    throw new Error("this link is damaged; ask for it again");
  }
}

// A link is a stranger's: a small one may hold any amount.
async function inflated(bytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST) {
      await reader.cancel();
      throw new Error("too large");
    }
  }
}

function checked({ files, open, game }) {
  if (!Object.keys(files ?? {}).every((name) => NAME.test(name))) throw new Error("a name is none for a file");
  const isText = (each) => typeof each === "string";
  if (typeof files !== "object" || !Object.values(files).every(isText)) throw new Error("no files");
  const isGame = game && [game.ruleset, game.record].every(isText);
  return {
    files: { ...files },
    open: isText(open) ? open : null,
    game: isGame ? { ruleset: game.ruleset, record: game.record } : null,
  };
}
