// The board: a drawing of its own, not a picture of anybody's artwork.

import { faceOf, GROUPS, type Face } from "../palette";
import { money, nameLines, sentence } from "../format";
import { act } from "../link";
import { SIGNS } from "../parts/Badges";
import { set, useStore } from "../store";
import type { Board as BoardData, Space, SpaceState, View } from "../types";
import { band, type Box, boxOf, cellOf, EDGE, field, INNER, SIZE, STRIP } from "./geometry";
import { useTouch } from "./hold";
import { litSpaces } from "./lit";
import { Middle, stands } from "./Middle";
import { Tokens } from "./Tokens";
import { outline } from "../palette";

export function Board({ view }: { view: View }) {
  const { board, moving, picked, aims } = useStore();
  if (!board || !view.snapshot) return <div class="board-empty" />;
  const lit = moving ? null : litSpaces(view, board, aims);
  const tap = (space: string) => {
    if (moving) {
      stands(moving, space);
      return;
    }
    const choice = lit?.get(space);
    if (choice) {
      set({ picked: null });
      void act(choice.action);
    } else set({ picked: picked === space ? null : space });
  };
  return (
    <div class="board">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="group" aria-label="The board">
        <defs>
          <pattern id="hatch" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch" width="4" height="10" />
          </pattern>
        </defs>
        <rect class="board-ground" width={SIZE} height={SIZE} rx="10" />
        {board.spaces.map((space) => (
          <SpaceShape
            key={space.space}
            space={space}
            state={view.snapshot?.spaces[space.space]}
            board={board}
            owner={ownerFace(view, space)}
            isLit={moving !== null || (lit?.has(space.space) ?? false)}
            isPicked={picked === space.space}
            onTap={() => tap(space.space)}
            onHold={lit?.get(space.space) ? () => set({ picked: space.space }) : undefined}
          />
        ))}
        <rect class="board-inner" x={INNER.x} y={INNER.y} width={INNER.size} height={INNER.size} />
        <Tokens view={view} board={board} lit={lit} />
      </svg>
      <Middle view={view} board={board} chooses={[...(lit?.values() ?? [])].some(Boolean)} />
    </div>
  );
}

function ownerFace(view: View, space: Space): Face | null {
  const owner = view.snapshot?.spaces[space.space]?.owner;
  return owner ? faceOf(view.players, owner) : null;
}

interface SpaceProps {
  space: Space;
  state: SpaceState | undefined;
  board: BoardData;
  owner: Face | null;
  isLit: boolean;
  isPicked: boolean;
  onTap: () => void;
  /** Where a tap chooses the space. */
  onHold?: () => void;
}

function SpaceShape({ space, state, board, owner, isLit, isPicked, onTap, onHold }: SpaceProps) {
  const box = boxOf(space.index);
  const strip = space.kind === "street" ? GROUPS[space.group ?? ""] : undefined;
  const touch = useTouch(onTap, onHold);
  const label = `${space.name}${owner ? `, ${owner.name}` : ""}${state?.mortgaged ? ", mortgaged" : ""}`;
  return (
    <g
      class={`space${isLit ? " lit" : ""}${isPicked ? " picked" : ""}`}
      role="button"
      tabIndex={0}
      aria-label={label}
      data-space={space.space}
      {...touch}
      onKeyDown={(event) => event.key === "Enter" && onTap()}
    >
      <rect class="space-ground" x={box.x} y={box.y} width={box.w} height={box.h} />
      {space.index === 10 && <rect class="cell" {...svgBox(cellOf(box))} />}
      {strip && <rect class="strip" {...svgBox(band(box, "inner", STRIP))} fill={strip} />}
      <Lettering space={space} box={box} board={board} priced={!state?.markers?.some((marker) => DISCS[marker])} />
      {state?.mortgaged && <rect class="mortgaged" {...svgBox(field(box, Boolean(strip)))} fill="url(#hatch)" />}
      {owner && <OwnerEdge box={box} face={owner} />}
      {state && <Buildings box={box} state={state} />}
      {state?.markers?.length ? <Markers box={box} markers={state.markers} /> : null}
      <rect class="space-line" x={box.x} y={box.y} width={box.w} height={box.h} />
    </g>
  );
}

const svgBox = ({ x, y, w, h }: Omit<Box, "side">) => ({ x, y, width: w, height: h });

/** Where a disc lies there is no room for the price. */
function Lettering({ space, box, board, priced }: { space: Space; box: Box; board: BoardData; priced: boolean }) {
  const inside = field(box, true);
  const upright = box.side === "bottom" || box.side === "top";
  if (space.index === 10) return <JailWords box={box} />;
  const lines = nameLines(space, box.side === "corner" ? 9 : upright ? 9 : 12);
  const size = box.side === "corner" ? 22 : 15.5;
  const sign = SPACE_SIGNS[space.kind === "card" ? (space.deck ?? "") : space.kind];
  const price = !priced ? null : space.price ? money(space.price, board) : space.amount ? money(space.amount, board) : null;
  const x = inside.x + inside.w / 2;
  const top =
    box.side === "corner"
      ? inside.y + 20
      : upright
        ? inside.y + 17
        : inside.y + inside.h / 2 - ((lines.length - 1 + (price ? 1.05 : 0)) * size * 1.12) / 2;
  return (
    <g class={box.side === "corner" ? "words corner" : "words"} font-size={size} text-anchor="middle">
      {lines.map((line, at) => (
        <text x={x} y={top + at * size * 1.12} dominant-baseline="central">
          {line}
        </text>
      ))}
      {sign && upright && <path class="sign" transform={`translate(${x} ${inside.y + 62})`} d={sign} />}
      {price && (
        <text class="price" x={x} y={upright ? inside.y + inside.h - 11 : top + lines.length * size * 1.16} dominant-baseline="central">
          {price}
        </text>
      )}
    </g>
  );
}

/** Small line drawings of what is not a street, around (0, 0). */
const SPACE_SIGNS: Record<string, string> = {
  chance: "M-9 -9q0 -10 9 -10t9 9q0 6 -6 9q-3 2 -3 7M0 15v1",
  chest: "M-15 -3h30v15h-30zM-15 -3q0 -9 8 -9h14q8 0 8 9M-3 -3h6v6h-6z",
  railroad: "M-15 8h30M-12 8v-14h9v7h12l3 7M-14 -6h13M6 1v-7h5v7M-8 12a3 3 0 1 0 .1 0M7 12a3 3 0 1 0 .1 0",
  utility: "M0 -14q9 11 9 17a9 9 0 0 1 -18 0q0 -6 9 -17z",
  tax: "M0 -14l13 14l-13 14l-13 -14z",
};

function JailWords({ box }: { box: Box }) {
  const cell = cellOf(box);
  return (
    <g class="words" text-anchor="middle">
      <text font-size="19" font-weight="700" x={cell.x + cell.w / 2} y={cell.y + 14} dominant-baseline="central">
        Jail
      </text>
      <text font-size="15.5" x={box.x + 52 + cell.w / 2 - 4} y={box.y + box.h - 23} dominant-baseline="central">
        visiting
      </text>
    </g>
  );
}

function OwnerEdge({ box, face }: { box: Box; face: Face }) {
  const edge = band(box, "outer", EDGE);
  const mark = { x: edge.x + edge.w / 2, y: edge.y + edge.h / 2 };
  return (
    <g class="owner">
      <rect {...svgBox(edge)} fill={face.fill} />
      <path transform={`translate(${mark.x} ${mark.y})`} d={outline(face.shape, 5.5)} fill={face.ink} />
    </g>
  );
}

function Buildings({ box, state }: { box: Box; state: SpaceState }) {
  const count = state.hotel ? 1 : (state.houses ?? 0);
  if (!count) return null;
  const strip = band(box, "inner", STRIP);
  const along = box.side === "bottom" || box.side === "top";
  const length = along ? strip.w : strip.h;
  const pitch = Math.min(18, length / count);
  return (
    <g class="buildings">
      {Array.from({ length: count }, (_, i) => {
        const offset = (i - (count - 1) / 2) * pitch;
        const x = strip.x + strip.w / 2 + (along ? offset : 0);
        const y = strip.y + strip.h / 2 + (along ? 0 : offset);
        return (
          <path
            key={`${state.hotel ? "hotel" : "house"}${i}`}
            class={state.hotel ? "hotel" : "house"}
            style={{ transformOrigin: `${x}px ${y}px` }}
            d={state.hotel ? hotelAt(x, y) : houseAt(x, y)}
          />
        );
      })}
    </g>
  );
}

const houseAt = (x: number, y: number): string => `M${x - 7} ${y + 8}V${y - 1}L${x} ${y - 9}L${x + 7} ${y - 1}V${y + 8}Z`;
const hotelAt = (x: number, y: number): string =>
  `M${x - 17} ${y + 9}V${y - 3}L${x - 11} ${y - 10}H${x + 11}L${x + 17} ${y - 3}V${y + 9}Z`;

/** A disc's radius, and which corner of the field it lies in: both kinds may share a space. */
const DISC = 11;
const DISCS: Record<string, -1 | 1> = { bomb: -1, miner: 1 };

function Markers({ box, markers }: { box: Box; markers: string[] }) {
  const inside = field(box, true);
  return (
    <g class="markers">
      {markers.map((marker) => {
        const side = DISCS[marker];
        if (!side) return null;
        const x = inside.x + inside.w / 2 + side * (inside.w / 2 - DISC - 1);
        return (
          <g key={marker} class={marker} data-marker={marker} transform={`translate(${x} ${inside.y + inside.h - DISC - 1})`}>
            <title>{sentence(marker)}</title>
            <circle r={DISC} />
            <path d={SIGNS[marker]} transform="scale(0.62)" />
          </g>
        );
      })}
    </g>
  );
}
