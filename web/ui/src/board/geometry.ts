// Where things are on the drawn board: 1000 × 1000 units, GO at the lower right, travel clockwise as seen.

export const SIZE = 1000;
const CORNER = 146;
const WIDTH = (SIZE - 2 * CORNER) / 9;
export const INNER = { x: CORNER, y: CORNER, size: SIZE - 2 * CORNER };
export const STRIP = 28;
export const EDGE = 15;

export type Side = "bottom" | "left" | "top" | "right" | "corner";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
  side: Side;
}

export function boxOf(index: number): Box {
  const side = Math.floor(index / 10);
  const step = index % 10;
  const far = SIZE - CORNER;
  if (step === 0) {
    return { x: side === 1 || side === 2 ? 0 : far, y: side < 2 ? far : 0, w: CORNER, h: CORNER, side: "corner" };
  }
  const along = CORNER + (step - 1) * WIDTH;
  const back = far - step * WIDTH;
  if (side === 0) return { x: back, y: far, w: WIDTH, h: CORNER, side: "bottom" };
  if (side === 1) return { x: 0, y: back, w: CORNER, h: WIDTH, side: "left" };
  if (side === 2) return { x: along, y: 0, w: WIDTH, h: CORNER, side: "top" };
  return { x: far, y: along, w: CORNER, h: WIDTH, side: "right" };
}

/** A band along the inner edge (`depth` > 0 from there) or along the outer edge of a space. */
export function band(box: Box, where: "inner" | "outer", depth: number): Omit<Box, "side"> {
  const { x, y, w, h, side } = box;
  const low = (side === "bottom" || side === "right") === (where === "inner");
  if (side === "bottom" || side === "top") return { x, w, h: depth, y: low ? y : y + h - depth };
  return { y, h, w: depth, x: low ? x : x + w - depth };
}

/** What is left for lettering and tokens between colour strip and owner's edge. */
export function field(box: Box, hasStrip: boolean): Omit<Box, "side"> {
  if (box.side === "corner") return { x: box.x + 8, y: box.y + 8, w: box.w - 16, h: box.h - 16 };
  const inner = hasStrip ? STRIP : 4;
  const { x, y, w, h } = box;
  switch (box.side) {
    case "bottom":
      return { x, y: y + inner, w, h: h - inner - EDGE };
    case "top":
      return { x, y: y + EDGE, w, h: h - inner - EDGE };
    case "left":
      return { x: x + EDGE, y, w: w - inner - EDGE, h };
    case "right":
      return { x: x + inner, y, w: w - inner - EDGE, h };
  }
}

export interface Point {
  x: number;
  y: number;
}

/** Centre for the token that is `place`-th of `count` on a space; jailed ones stand in the cell. */
export function standing(index: number, place: number, count: number, jailed: boolean): Point {
  const box = boxOf(index);
  if (index === 10) return jailed ? jailCell(box, place, count) : visiting(box, place, count);
  const inside = field(box, true);
  const upright = box.side === "bottom" || box.side === "top";
  const columns = box.side === "corner" ? 3 : upright ? (count > 2 ? 2 : 1) : count > 2 ? Math.ceil(count / 2) : 2;
  const rows = Math.ceil(count / columns);
  const row = Math.floor(place / columns);
  const inRow = row === rows - 1 ? count - columns * (rows - 1) : columns;
  const r = radius(count);
  const gapX = Math.min(2 * r + 2, (inside.w - 2 * r) / Math.max(1, columns - 1));
  const gapY = Math.min(2 * r + 2, (inside.h - 2 * r) / Math.max(1, rows - 1));
  // Tokens leave the name of their space readable where the field is deep.
  const lift = box.side === "corner" ? 24 : upright && count === 1 ? 10 : 0;
  return {
    x: inside.x + inside.w / 2 + ((place % columns) - (inRow - 1) / 2) * gapX,
    y: inside.y + inside.h / 2 + lift + (row - (rows - 1) / 2) * gapY,
  };
}

/** Radius of a token among `count` on its space. */
export const radius = (count: number): number => (count <= 2 ? 23 : count <= 4 ? 20 : 17);

function jailCell(box: Box, place: number, count: number): Point {
  const cell = cellOf(box);
  const columns = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  return {
    x: cell.x + (cell.w * ((place % columns) + 1)) / (columns + 1),
    y: cell.y + 16 + ((cell.h - 16) * (Math.floor(place / columns) + 1)) / (rows + 1),
  };
}

/** The cell is the inner part of the corner; visitors walk round it along the two outer edges. */
export function cellOf(box: Box): Omit<Box, "side"> {
  return { x: box.x + 46, y: box.y, w: box.w - 46, h: box.h - 46 };
}

function visiting(box: Box, place: number, count: number): Point {
  const path = box.h + box.w - 46;
  const at = (path * (place + 1)) / (count + 1);
  const bend = box.h - 23;
  return at < bend ? { x: box.x + 23, y: box.y + at } : { x: box.x + 23 + (at - bend), y: box.y + box.h - 23 };
}

/** Middles of the spaces that a token crosses from `from` to `to`, both ends left out. */
export function crossed(from: number, to: number): Point[] {
  const forward = (to - from + 40) % 40;
  const step = forward <= 28 ? 1 : -1;
  const count = step === 1 ? forward : 40 - forward;
  const points: Point[] = [];
  for (let i = 1; i < count; i++) {
    const box = boxOf((from + step * i + 40) % 40);
    points.push({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
  }
  return points;
}
