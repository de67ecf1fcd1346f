// How the camera sees at this moment.

import { useEffect, useState } from "preact/hooks";
import { notice, read, send } from "../link";
import { lightWord } from "../parts/Status";
import type { SetupState } from "../setup/types";
import type { View } from "../types";
import { Frame } from "./Sheet";

export function useLivePicture(everyMs: number): { src: string; failed: boolean; onError: () => void; onLoad: () => void } {
  const [count, step] = useState(0);
  const [failed, fail] = useState(false);
  useEffect(() => {
    const timer = window.setInterval(() => step((old) => old + 1), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
  return { src: `api/frame.jpg?${count}`, failed, onError: () => fail(true), onLoad: () => fail(false) };
}

/** Another camera, also in the middle of a game. */
function Cameras() {
  const [setup, take] = useState<SetupState | null>(null);
  useEffect(() => {
    read<SetupState>("setup")
      .then(take)
      .catch((error: Error) => notice(error.message));
  }, []);
  const choose = (camera: string) =>
    send<SetupState>("setup/camera", { camera })
      .then(take)
      .catch((error: Error) => notice(error.message));
  return (
    <div class="manage">
      {setup?.cameras.map(({ camera, label }) => (
        <button
          type="button"
          key={camera}
          class={camera === setup.camera ? "picked" : undefined}
          aria-pressed={camera === setup.camera}
          onClick={() => void choose(camera)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

export function SightSheet({ view }: { view: View }) {
  const live = useLivePicture(700);
  const camera = view.sight?.camera;
  const tower = view.sight?.tower;
  return (
    <Frame title="How it sees" part="sight">
      <img class={live.failed ? "large-picture hidden" : "large-picture"} src={live.src} alt="The camera now" onError={live.onError} onLoad={live.onLoad} />
      {live.failed && <p>The camera gives no picture at the moment. Everything can be tapped in meanwhile.</p>}
      <table class="inputs">
        <tbody>
          {camera && (
            <tr>
              <td>Camera</td>
              <td>{lightWord(camera)}</td>
            </tr>
          )}
          {tower && (
            <tr>
              <td>Dice tower</td>
              <td>{lightWord(tower)}</td>
            </tr>
          )}
          <tr>
            <td>Readings</td>
            <td>
              {view.sight?.readings ?? 0}, {view.sight?.corrected ?? 0} put right
            </td>
          </tr>
        </tbody>
      </table>
      <Cameras />
    </Frame>
  );
}
