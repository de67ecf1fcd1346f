// Who plays: name, token, colour and shape, in turn order.

import { COLOR_NAMES, COLORS, type Face, type Shape, SHAPES } from "../palette";
import { sentence } from "../format";
import { Mark } from "../parts/Mark";
import { seat, type StepProps, TOKENS } from "./Setup";
import type { Seat } from "./types";

export const faceOfSeat = (one: Seat): Face => {
  const [fill, ink] = COLORS[one.color] ?? ["#444444", "#ffffff"];
  return { name: one.name, fill, ink, shape: one.shape as Shape, initial: one.name.trim().charAt(0).toUpperCase() || "?" };
};

export function PlayersStep({ choices, change, setup, catalog }: StepProps) {
  const { seats } = choices;
  const most = Math.max(...catalog.variants.map((one) => one.players[1]));
  const put = (at: number, part: Partial<Seat>) => change({ seats: seats.map((one, place) => (place === at ? { ...one, ...part } : one)) });
  const free = () => {
    const fresh = seat(seats.length);
    const color = COLOR_NAMES.find((name) => !seats.some((one) => one.color === name)) ?? fresh.color;
    const shape = SHAPES.find((name) => !seats.some((one) => one.shape === name)) ?? fresh.shape;
    const token = [fresh.token, ...TOKENS].find((name) => !seats.some((one) => one.token === name)) ?? "";
    return { ...fresh, color, shape, token };
  };
  const edition = choices.edition ?? catalog.variants.find((one) => one.name === choices.variant)?.default_edition ?? "classic";
  const tokens = setup.tokens ?? catalog.editions[edition]?.tokens ?? [];
  return (
    <section class="step players-step">
      <h2>Who plays?</h2>
      <p>In turn order; the first begins.</p>
      <div class="seats">
        {seats.map((one, at) => (
          <div class="seat" key={at} data-seat={at}>
            <button type="button" class="icon" aria-label={`Player ${at + 1}: another colour and shape`} onClick={() => put(at, nextFace(seats, at))}>
              <Mark face={faceOfSeat(one)} size={44} />
            </button>
            <input
              type="text"
              aria-label={`Name of player ${at + 1}`}
              placeholder={`Player ${at + 1}`}
              maxLength={16}
              value={one.name}
              onInput={(event) => put(at, { name: event.currentTarget.value })}
            />
            <input
              type="text"
              class="token-name"
              list="tokens"
              aria-label={`Token of player ${at + 1}`}
              maxLength={20}
              value={one.token}
              onInput={(event) => put(at, { token: event.currentTarget.value })}
            />
            <button
              type="button"
              class="icon"
              aria-label={`Player ${at + 1} up`}
              disabled={at === 0}
              onClick={() => change({ seats: swapped(seats, at) })}
            >
              ↑
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Leave player ${at + 1} out`}
              disabled={seats.length <= 2}
              onClick={() => change({ seats: seats.filter((_, place) => place !== at) })}
            >
              ×
            </button>
          </div>
        ))}
      </div>
      <datalist id="tokens">
        {tokens.map((token) => (
          <option value={token}>{sentence(token)}</option>
        ))}
      </datalist>
      {seats.length < most && (
        <button type="button" class="large" onClick={() => change({ seats: [...seats, free()] })}>
          One more player
        </button>
      )}
    </section>
  );
}

function swapped(seats: Seat[], at: number): Seat[] {
  const next = [...seats];
  const [above, one] = [next[at - 1], next[at]];
  if (above && one) [next[at - 1], next[at]] = [one, above];
  return next;
}

/** The next colour and shape that nobody else has. */
function nextFace(seats: Seat[], at: number): Partial<Seat> {
  const others = seats.filter((_, place) => place !== at);
  const after = <T extends string>(all: readonly T[], now: string, taken: string[]): T | undefined => {
    const start = all.findIndex((one) => one === now);
    return all.map((_, i) => all[(start + 1 + i) % all.length]).find((one) => one !== undefined && !taken.includes(one));
  };
  const own = seats[at];
  if (!own) return {};
  return {
    color: after(COLOR_NAMES, own.color, others.map((one) => one.color)) ?? own.color,
    shape: after(SHAPES, own.shape, others.map((one) => one.shape)) ?? own.shape,
  };
}
