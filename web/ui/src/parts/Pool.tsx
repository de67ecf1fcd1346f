// The dice that a group shares: who threw which, who has taken which, and two of them to take.

import { useState } from "preact/hooks";
import { faceOf } from "../palette";
import type { Decision, View } from "../types";
import { Choice } from "./Decisions";
import { Die } from "./Dice";
import { Mark } from "./Mark";

export function Pool({ decision, view }: { decision: Decision; view: View }) {
  const pool = view.stage?.pool ?? [];
  const [picked, pick] = useState<number[]>([]);
  const tap = (place: number) =>
    pick(picked.includes(place) ? picked.filter((one) => one !== place) : [...picked.slice(-1), place]);
  const wanted = picked.map((place) => pool[place]?.face ?? 0).sort().join();
  const ways = (decision.choices ?? []).filter(({ action }) => (action.dice as number[]).join() === wanted);
  const rollers = [...new Set(pool.map(({ roller }) => roller))];
  return (
    <div class="pool" data-part="pool">
      {rollers.map((roller) => (
        <div class="pool-row" role="group" aria-label={`Dice that ${roller} threw`} data-roller={roller}>
          <Mark face={faceOf(view.players, roller)} size={32} />
          {pool.map((die, place) =>
            die.roller !== roller ? null : (
              <button
                type="button"
                class={picked.includes(place) ? "pool-die picked" : "pool-die"}
                aria-pressed={picked.includes(place)}
                aria-label={`${die.face}, thrown by ${roller}${die.taker ? `, taken by ${die.taker}` : ""}`}
                onClick={() => tap(place)}
              >
                <Die face={die.face} size={44} />
                {die.taker && <Mark face={faceOf(view.players, die.taker)} size={24} />}
              </button>
            ),
          )}
        </div>
      ))}
      {ways.length > 0 ? (
        <div class="choices of-2">
          {ways.map((way) => (
            <Choice key={way.label} button={way} first={false} />
          ))}
        </div>
      ) : (
        <p>Touch two dice, or one of the lit spaces.</p>
      )}
    </div>
  );
}
