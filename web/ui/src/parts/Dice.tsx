// Dice: shown, and tapped in.

import { useEffect, useRef, useState } from "preact/hooks";

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** `2d6+d20` → [6, 6, 20]: the number of faces of each die of a hand. */
export function handOf(dice: string | null | undefined): number[] {
  const hand: number[] = [];
  for (const part of (dice ?? "2d6").split(/[+,\s]+/)) {
    const match = /^(\d*)d(\d+)$/.exec(part);
    if (match) for (let i = 0; i < Number(match[1] || 1); i++) hand.push(Number(match[2]));
  }
  return hand.length ? hand : [6, 6];
}

export function Die({ face, sides = 6, size = 72 }: { face: number | null; sides?: number; size?: number }) {
  const style = { width: `${size / 16}rem`, height: `${size / 16}rem` };
  const pips = sides === 6 && face !== null ? PIPS[face] : undefined;
  return (
    <svg class="die" data-sides={sides} viewBox="-50 -50 100 100" style={style} role="img" aria-label={face === null ? "open" : String(face)}>
      {sides === 6 ? (
        <rect x="-45" y="-45" width="90" height="90" rx="17" />
      ) : sides === 4 ? (
        <path d="M0 -46L47 38H-47Z" stroke-linejoin="round" />
      ) : (
        <path d="M0 -47L43 -23V23L0 47L-43 23V-23Z" stroke-linejoin="round" />
      )}
      {pips?.map(([x, y]) => <circle cx={x * 24} cy={y * 24} r="9.5" />)}
      {!pips && face !== null && (
        <text y={sides === 4 ? 14 : 0} text-anchor="middle" dominant-baseline="central" font-size="42" font-weight="700">
          {face}
        </text>
      )}
    </svg>
  );
}

export function DiceRow({ dice, sides, size = 72 }: { dice: (number | null)[]; sides: number[]; size?: number }) {
  return (
    <span class="dice-row">
      {dice.map((face, die) => (
        <Die face={face} sides={sides[die] ?? 6} size={size} />
      ))}
    </span>
  );
}

interface RowsProps {
  hand: number[];
  faces: (number | null)[];
  onTap: (die: number, face: number) => void;
}

/** One row of faces a die. */
function Rows({ hand, faces, onTap }: RowsProps) {
  return (
    <div class="dice-picker">
      {hand.map((count, die) => (
        <div class={count <= 6 ? "faces one-row" : "faces"} role="group" aria-label={hand.length > 1 ? `Die ${die + 1}` : "Die"}>
          {Array.from({ length: count }, (_, i) => i + 1).map((face) => (
            <button
              type="button"
              class={faces[die] === face ? "face picked" : "face"}
              aria-label={`Die ${die + 1}: ${face}`}
              aria-pressed={faces[die] === face}
              onClick={() => onTap(die, face)}
            >
              <Die face={face} sides={count} size={44} />
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Nothing was read: the last tap hands the throw on. */
export function DicePicker({ hand, onDone }: { hand: number[]; onDone: (faces: number[]) => void }) {
  const [faces, pick] = useState<(number | null)[]>(hand.map(() => null));
  const tap = (die: number, face: number) => {
    const next = faces.map((old, at) => (at === die ? face : old));
    const whole = next.every((one): one is number => one !== null);
    pick(whole ? hand.map(() => null) : next);
    if (whole) onDone(next);
  };
  return <Rows hand={hand} faces={faces} onTap={tap} />;
}

/** After a die was put right another may be, in ms. */
const MORE_MS = 1500;

/** Dice that were read: each that was read wrong is touched, and a moment after the last touch they count. */
function Reread({ hand, read, onDone }: { hand: number[]; read: number[]; onDone: (faces: number[]) => void }) {
  const [faces, pick] = useState(read);
  const [touched, touch] = useState<number[]>([]);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const tap = (die: number, face: number) => {
    const isSaidAgain = touched.includes(die) && faces[die] === face;
    const next = faces.map((old, at) => (at === die ? face : old));
    const all = [...new Set([...touched, die])];
    const count = () => {
      touch([]);
      onDone(next);
    };
    pick(next);
    touch(all);
    window.clearTimeout(timer.current);
    if (isSaidAgain || all.length === hand.length) count();
    else timer.current = window.setTimeout(count, MORE_MS);
  };
  return (
    <>
      <Rows hand={hand} faces={faces} onTap={tap} />
      {hand.length > 1 && <p class="quiet-text">{touched.length ? "Another one too? Else that is it." : "Touch what each die that was read wrong shows."}</p>}
    </>
  );
}

interface ThrowPickerProps {
  hand: number[];
  /** What the dice were read as, where they were. */
  read?: number[] | null;
  onDone: (faces: number[]) => void;
}

/** Says what was really thrown: two dice alike by one touch of all throws there are, others each by its face. */
export function ThrowPicker({ hand, read, onDone }: ThrowPickerProps) {
  const [sides = 6, second] = hand;
  if (hand.length !== 2 || sides !== second || sides > 6) {
    return read ? <Reread hand={hand} read={read} onDone={onDone} /> : <DicePicker hand={hand} onDone={onDone} />;
  }
  const faces = Array.from({ length: sides }, (_, i) => i + 1);
  const throws = faces.flatMap((low) => faces.slice(low - 1).map((high) => [low, high]));
  return (
    <div class="throws" data-sides={sides} role="group" aria-label="All throws">
      {throws.map(([low = 1, high = 1]) => {
        const picked = read != null && low === Math.min(...read) && high === Math.max(...read);
        return (
          <button
            type="button"
            class={picked ? "picked" : undefined}
            aria-label={`${low} and ${high}`}
            aria-pressed={picked}
            onClick={() => onDone(picked ? read : [low, high])}
          >
            <DiceRow dice={[low, high]} sides={hand} />
          </button>
        );
      })}
    </div>
  );
}
