// Which camera, with what it sees.

import { useState } from "preact/hooks";
import { useLivePicture } from "../sheets/Sight";
import type { StepProps } from "./Setup";
import type { SetupState } from "./types";

export function CameraStep({ setup, tell }: StepProps) {
  const [address, type] = useState("");
  const listed = setup.cameras.some(({ camera }) => camera === setup.camera);
  const cameras = setup.camera === null || listed ? setup.cameras : [{ camera: setup.camera, label: setup.camera }, ...setup.cameras];
  const choose = (camera: string) => void tell("camera", { camera });
  return (
    <section class="step camera-step">
      <h2>Which camera looks at the board?</h2>
      <div class="split">
        <div class="tiles one">
          {cameras.map(({ camera, label }) => (
            <button
              type="button"
              class={camera === setup.camera ? "tile picked" : "tile"}
              aria-pressed={camera === setup.camera}
              data-camera={camera}
              onClick={() => choose(camera)}
            >
              {label}
            </button>
          ))}
          <form
            class="address"
            onSubmit={(event) => {
              event.preventDefault();
              if (address.trim()) choose(address.trim());
            }}
          >
            <input
              type="text"
              aria-label="Address of a camera in the network"
              placeholder="Address of a camera in the network"
              value={address}
              onInput={(event) => type(event.currentTarget.value)}
            />
            <button type="submit">Use it</button>
          </form>
          {setup.camera && setup.camera !== "none" && <Tray setup={setup} choose={(tray) => void tell("tray", { tray })} />}
        </div>
        {setup.camera && setup.camera !== "none" ? (
          <LivePicture key={setup.camera} />
        ) : (
          <p class="quiet-text">Without a camera everything is tapped in: dice, cards, and where a token really stands.</p>
        )}
      </div>
    </section>
  );
}

function LivePicture() {
  const live = useLivePicture(500);
  return (
    <figure class="live-picture">
      <img class={live.failed ? "hidden" : undefined} src={live.src} alt="The camera now" onError={live.onError} onLoad={live.onLoad} />
      <figcaption>
        {live.failed ? "Waiting for the first picture …" : "The whole board and the place where the dice fall should be in the picture."}
      </figcaption>
    </figure>
  );
}

/** Dice fall in the same picture, or into a tray that a second camera looks into. */
function Tray({ setup, choose }: { setup: SetupState; choose: (tray: string) => void }) {
  const others = setup.cameras.filter(({ camera }) => camera !== setup.camera && camera !== "none" && camera !== "virtual");
  const listed = setup.tray === "none" || others.some(({ camera }) => camera === setup.tray);
  const trays = listed ? others : [...others, { camera: setup.tray, label: setup.tray }];
  if (!trays.length) return null;
  return (
    <fieldset class="tray">
      <legend>Where do the dice fall?</legend>
      <button
        type="button"
        class={setup.tray === "none" ? "tile picked" : "tile"}
        aria-pressed={setup.tray === "none"}
        data-tray="none"
        onClick={() => choose("none")}
      >
        In this picture
      </button>
      {trays.map(({ camera, label }) => (
        <button
          type="button"
          class={setup.tray === camera ? "tile picked" : "tile"}
          aria-pressed={setup.tray === camera}
          data-tray={camera}
          onClick={() => choose(camera)}
        >
          In a tray before {label}
        </button>
      ))}
    </fieldset>
  );
}
