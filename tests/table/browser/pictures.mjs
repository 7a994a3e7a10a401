// What pages make of boards in parts, beside the whole pictures: `node tests/table/browser/pictures.mjs FILE`.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Pictures, changedParts, svgOf } from "../../../hots_rules/web/static/board/picture.js";

const digest = (text) => createHash("sha256").update(text).digest("hex");
const { frames, steps } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const seats = new Map();
let count = 0;
for (const { seat, told, told_values: toldValues, values, whole } of steps) {
  if (!seats.has(seat)) seats.set(seat, { pictures: new Pictures(async (name) => frames[name]), last: null });
  const held = seats.get(seat);
  const taken = await held.pictures.take(told, toldValues);
  assert.notEqual(taken, null, `${seat}: the picture ${told.since} is not there`);
  assert.equal(digest(svgOf(taken)), whole, seat);
  assert.deepEqual(taken.values, values, seat);
  if (held.last?.frame === taken.frame)
    assert.ok(changedParts(held.last, taken).every((name) => name in told.parts || told.since !== held.last.name));
  held.last = taken;
  count += 1;
}
console.log(`${count} pictures`);
