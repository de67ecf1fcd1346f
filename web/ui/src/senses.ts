// Sound and speech for what just happened, and a screen that stays awake.

import { current } from "./settings";
import { watch, get } from "./store";
import type { View } from "./types";

/** [frequency in Hz, start in s, length in s] of each note. */
type Tune = [number, number, number][];

const TUNES: Record<string, Tune> = {
  rent: [[660, 0, 0.09], [523, 0.1, 0.14]],
  converted: [[220, 0, 0.25], [185, 0.2, 0.35]],
  demolished: [[130, 0, 0.18], [98, 0.12, 0.3]],
  question: [[587, 0, 0.1], [784, 0.12, 0.16]],
};

let audio: AudioContext | null = null;

function play(tune: Tune): void {
  audio ??= new AudioContext();
  const start = audio.currentTime + 0.02;
  for (const [frequency, at, length] of tune) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, start + at);
    gain.gain.exponentialRampToValueAtTime(0.25, start + at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + at + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + length + 0.02);
  }
}

function say(text: string): void {
  if (!("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text));
}

function tuneFor(view: View, before: View): Tune | undefined {
  const asked = view.questions.some((question) => !before.questions.some((old) => old.id === question.id));
  if (asked) return TUNES.question;
  const now = view.now;
  if (!now || (now.entry === before.now?.entry && now.headline === before.now?.headline)) return undefined;
  return TUNES[now.kind];
}

/** Tells by ear what changed, as far as this tablet is to be heard. */
export function listen(): void {
  let before: View | null = null;
  watch(() => {
    const view = get().view;
    const old = before;
    before = view;
    if (!view || !old || view === old || view.game?.id !== old.game?.id) return;
    const { sound, speech } = current();
    const tune = tuneFor(view, old);
    if (sound && tune) play(tune);
    if (speech && view.now && view.now.headline !== old.now?.headline) say(view.now.headline);
  });
}

/** Keeps the screen on where the browser allows it; asks again when the page comes back into view. */
export function stayAwake(): void {
  const request = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => undefined);
  };
  document.addEventListener("visibilitychange", request);
  document.addEventListener("pointerdown", request, { once: true });
  request();
}
