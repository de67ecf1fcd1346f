// Tokens are shown to the camera one after another.

import { useState } from "preact/hooks";
import { Mark } from "../parts/Mark";
import { useLivePicture } from "../sheets/Sight";
import { faceOfSeat } from "./Players";
import type { StepProps } from "./Setup";

export function TokensStep({ choices, setup, tell }: StepProps) {
  const live = useLivePicture(500);
  const [busy, work] = useState(false);
  const next = choices.seats.find((one) => !setup.enrolled.includes(one.token));
  const [again, redo] = useState<string | null>(null);
  const wanted = choices.seats.find((one) => one.token === again) ?? next;
  const enrol = async () => {
    if (!wanted) return;
    work(true);
    if (await tell("enrol", { token: wanted.token })) redo(null);
    work(false);
  };
  return (
    <section class="step tokens-step">
      <h2>{wanted ? `Put ${wanted.name}’s ${wanted.token} on GO, alone` : "All tokens are known"}</h2>
      <p>{wanted ? "Nothing else on the board, and hands away." : "Touch one to show it again."}</p>
      <div class="split">
        <div class="tiles one">
          {choices.seats.map((one) => (
            <button
              type="button"
              class={one === wanted ? "tile picked" : "tile"}
              data-token={one.token}
              onClick={() => redo(one.token)}
            >
              <span class="with-mark">
                <Mark face={faceOfSeat(one)} size={32} /> {one.name}: {one.token}
              </span>
              <small>{setup.enrolled.includes(one.token) ? "known" : "not yet shown"}</small>
            </button>
          ))}
        </div>
        <figure class="live-picture">
          <img class={live.failed ? "hidden" : undefined} src={live.src} alt="The camera now" onError={live.onError} onLoad={live.onLoad} />
          {wanted && (
            <button type="button" class="large likeliest" disabled={busy} onClick={() => void enrol()}>
              {busy ? "Looking …" : "It stands there"}
            </button>
          )}
        </figure>
      </div>
    </section>
  );
}
