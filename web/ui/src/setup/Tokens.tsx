// Tokens are shown to the camera one after another, and then the pieces of nobody that stand about like them.

import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { sentence } from "../format";
import { CopMark, Mark } from "../parts/Mark";
import { useLivePicture } from "../sheets/Sight";
import { faceOfSeat } from "./Players";
import type { StepProps } from "./Setup";

/** What is shown to the camera: whose it is, in a heading and on its tile. */
interface Shown {
  token: string;
  whose: string;
  tile: string;
  mark: ComponentChildren;
  hint: string;
}

const HINT = "Nothing else on the board, and hands away.";

export function TokensStep({ choices, catalog, setup, tell }: StepProps) {
  const live = useLivePicture(500);
  const [busy, work] = useState(false);
  const tokens: Shown[] = choices.seats.map((one) => ({
    token: one.token,
    whose: `${one.name}’s ${one.token}`,
    tile: `${one.name}: ${one.token}`,
    mark: <Mark face={faceOfSeat(one)} size={32} />,
    hint: HINT,
  }));
  const figures: Shown[] = (catalog.variants.find((one) => one.name === choices.variant)?.figures ?? []).map((figure) => ({
    token: figure,
    whose: `the ${sentence(figure)}`,
    tile: `The ${sentence(figure)}`,
    mark: <CopMark size={32} />,
    hint: `Any figure will do. ${HINT}`,
  }));
  const all = [...tokens, ...figures];
  const [again, redo] = useState<string | null>(null);
  const wanted = all.find((one) => one.token === again) ?? all.find((one) => !setup.enrolled.includes(one.token));
  const enrol = async () => {
    if (!wanted) return;
    work(true);
    if (await tell("enrol", { token: wanted.token, among: all.map((one) => one.token) })) redo(null);
    work(false);
  };
  return (
    <section class="step tokens-step">
      <h2>{wanted ? `Put ${wanted.whose} on GO, alone` : "All tokens are known"}</h2>
      <p>{wanted ? wanted.hint : "Touch one to show it again."}</p>
      <div class="split">
        <div class="tiles one">
          {all.map((one) => (
            <button
              type="button"
              class={one === wanted ? "tile picked" : "tile"}
              data-token={one.token}
              onClick={() => redo(one.token)}
            >
              <span class="with-mark">
                {one.mark} {one.tile}
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
