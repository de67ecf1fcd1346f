// What this tablet remembers for itself: sound, speech, night.

import { useEffect, useState } from "preact/hooks";

export interface Settings {
  sound: boolean;
  speech: boolean;
  night: boolean;
}

const KEY = "boardside";

function load(): Settings {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  try {
    return { sound: false, speech: false, night: dark, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { sound: false, speech: false, night: dark };
  }
}

let settings = load();
const listeners = new Set<() => void>();

export const current = (): Settings => settings;

export function toggle(name: keyof Settings): void {
  settings = { ...settings, [name]: !settings[name] };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still has its toggles for this evening.
  }
  apply();
  for (const listener of listeners) listener();
}

export function apply(): void {
  document.documentElement.dataset.light = settings.night ? "night" : "day";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", settings.night ? "#141210" : "#f6f2e9");
}

export function useSettings(): Settings {
  const [seen, update] = useState(settings);
  useEffect(() => {
    const listener = () => update(settings);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return seen;
}
