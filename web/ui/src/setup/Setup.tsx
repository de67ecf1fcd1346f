// Set-up: one thing at a time, and a way back from each.

import { useEffect, useState } from "preact/hooks";
import { Notice } from "../app";
import { notice, read, Refusal, refresh, send, take } from "../link";
import { COLOR_NAMES, SHAPES } from "../palette";
import { toggle, useSettings } from "../settings";
import { RulesSheet } from "../sheets/Rules";
import { set, useStore } from "../store";
import type { View } from "../types";
import { CameraStep } from "./Camera";
import { CornersStep } from "./Corners";
import { GameStep, told } from "./Game";
import { PlayersStep } from "./Players";
import { Resume } from "./Resume";
import { StartStep } from "./Start";
import { TokensStep } from "./Tokens";
import type { Catalog, Choices, SavedGame, Seat, SetupState } from "./types";

const STEPS = ["Players", "Game", "Camera", "Corners", "Tokens", "Start"] as const;
export type Step = (typeof STEPS)[number];

export const TOKENS = ["hat", "car", "dog", "ship", "boot", "iron", "thimble", "cannon"];

export const seat = (at: number): Seat => ({
  name: "",
  color: COLOR_NAMES[at % COLOR_NAMES.length] ?? "red",
  shape: SHAPES[at % SHAPES.length] ?? "circle",
  token: TOKENS[at % TOKENS.length] ?? "hat",
  extra: {},
});

/** What every step gets. */
export interface StepProps {
  choices: Choices;
  change: (part: Partial<Choices>) => void;
  catalog: Catalog;
  setup: SetupState;
  /** Asks the program to do a part of the set-up; its new state is taken over, its refusal told. */
  tell: (path: string, body?: unknown) => Promise<boolean>;
}

export function Setup({ view }: { view: View }) {
  const { link } = useStore();
  const [step, go] = useState<Step | "Resume">("Players");
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  const [setup, setSetup] = useState<SetupState | null>(null);
  const [games, setGames] = useState<SavedGame[]>([]);
  const [choices, setChoices] = useState<Choices>({ seats: [seat(0), seat(1)], variant: "classic", edition: null, options: {}, automation: "show", reaction_s: null });
  useEffect(() => {
    const fail = (error: Error) => notice(error.message);
    read<Catalog>("catalog").then(setCatalog).catch(fail);
    read<SetupState>("setup")
      .then((state) => {
        setSetup(state);
        setChoices((chosen) => ({ ...chosen, reaction_s: chosen.reaction_s ?? state.reaction_s }));
      })
      .catch(fail);
    read<{ games: SavedGame[] }>("setup/games")
      .then((answer) => setGames(answer.games))
      .catch(fail);
  }, [link]);
  // What was said about one step is over with it.
  useEffect(() => () => notice(null), [step]);
  const [asked, wait] = useState(0);
  const [isReading, readRules] = useState(false);
  const tell = async (path: string, body: unknown = {}) => {
    wait((count) => count + 1);
    try {
      setSetup(await send<SetupState>(`setup/${path}`, body));
      notice(null);
      return true;
    } catch (error) {
      notice(error instanceof Refusal ? error.message : String(error));
      return false;
    } finally {
      wait((count) => count - 1);
    }
  };
  const refused = useVerdict(choices, catalog, step === "Game");
  if (!catalog || !setup) return <main class="waiting">Boardside</main>;
  // The virtual table knows itself.
  const watching = setup.camera !== null && setup.camera !== "none" && setup.camera !== "virtual";
  const steps = STEPS.filter((one) => watching || (one !== "Corners" && one !== "Tokens"));
  const at = steps.indexOf(step as Step);
  const props: StepProps = { choices, change: (part) => setChoices({ ...choices, ...part }), catalog, setup, tell };
  const missing = missingIn(step, choices, setup) ?? (step === "Game" ? refused : null);
  if (isReading) {
    return (
      <main class="setup reading">
        <RulesSheet query={rulesQuery(choices, catalog)} onClose={() => readRules(false)} />
      </main>
    );
  }
  return (
    <main class="setup" data-version={view.version} data-step={step}>
      <header class="setup-head">
        <h1>Boardside</h1>
        <ol class="steps">
          {steps.map((one, place) => (
            <li class={one === step ? "here" : place < at ? "done" : undefined}>
              <button type="button" disabled={place > at} aria-current={one === step ? "step" : undefined} onClick={() => go(one)}>
                {one}
              </button>
            </li>
          ))}
        </ol>
        {view.phase !== "setup" && (
          <button type="button" onClick={() => set({ another: false })}>
            Back to the game
          </button>
        )}
        <NightToggle />
      </header>
      <div class="setup-body">
        {step === "Resume" && <Resume games={games} />}
        {step === "Players" && <PlayersStep {...props} />}
        {step === "Game" && <GameStep {...props} onRead={() => readRules(true)} />}
        {step === "Camera" && <CameraStep {...props} />}
        {step === "Corners" && <CornersStep {...props} />}
        {step === "Tokens" && <TokensStep {...props} />}
        {step === "Start" && <StartStep {...props} />}
      </div>
      <footer class="setup-foot">
        {at > 0 || step === "Resume" ? (
          <button type="button" class="large" onClick={() => go(steps[at - 1] ?? "Players")}>
            Back
          </button>
        ) : games.length > 0 ? (
          <button type="button" class="large" onClick={() => go("Resume")}>
            Go on with a game
          </button>
        ) : (
          <span />
        )}
        {(asked > 0 || missing) && <p class="quiet-text">{asked > 0 ? "One moment …" : missing}</p>}
        {step !== "Resume" && step !== "Start" && (
          <button type="button" class="large likeliest" disabled={missing !== null || asked > 0} onClick={() => go(steps[at + 1] ?? "Start")}>
            Next
          </button>
        )}
        {step === "Start" && <StartButton choices={choices} catalog={catalog} />}
      </footer>
      <Notice />
    </main>
  );
}

/** Where the rules of the game that is being chosen can be read. */
function rulesQuery(choices: Choices, catalog: Catalog): string {
  const { variant, edition, options } = told(choices, catalog);
  return `?${new URLSearchParams({ variant, edition: edition ?? "", options: JSON.stringify(options) })}`;
}

/** Why the rules allow no such game, in their own sentence; null while they do. */
function useVerdict(choices: Choices, catalog: Catalog | null, wanted: boolean): string | null {
  const [refused, tell] = useState<string | null>(null);
  const body = catalog && wanted ? JSON.stringify(told(choices, catalog)) : null;
  useEffect(() => {
    if (body === null) return;
    let isOld = false;
    send("setup/check", JSON.parse(body))
      .then(() => isOld || tell(null))
      .catch((error: Error) => isOld || tell(error.message));
    return () => {
      isOld = true;
    };
  }, [body]);
  return refused;
}

function missingIn(step: Step | "Resume", choices: Choices, setup: SetupState): string | null {
  const names = choices.seats.map((one) => one.name.trim());
  if (step === "Players") {
    if (names.some((name) => !name)) return "Every player needs a name.";
    if (new Set(names).size < names.length) return "Two players have the same name.";
    const tokens = choices.seats.map((one) => one.token.trim().toLowerCase()).filter((token) => token);
    if (new Set(tokens).size < tokens.length) return "Two players have the same token.";
  }
  if (step === "Camera" && setup.camera === null) return "Choose a camera, or none.";
  if (step === "Corners" && !setup.taps) return "Touch the four corners first.";
  return null;
}

function StartButton({ choices, catalog }: { choices: Choices; catalog: Catalog }) {
  const [busy, work] = useState(false);
  const start = async () => {
    work(true);
    try {
      take(await send<View>("setup/start", told(choices, catalog)));
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error));
      void refresh();
    } finally {
      work(false);
    }
  };
  return (
    <button type="button" class="large likeliest" disabled={busy} onClick={() => void start()}>
      Start the game
    </button>
  );
}

function NightToggle() {
  const { night } = useSettings();
  return (
    <button type="button" class="icon" aria-label="Night" aria-pressed={night} onClick={() => toggle("night")}>
      <svg viewBox="0 0 24 24">
        <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z" />
      </svg>
    </button>
  );
}
