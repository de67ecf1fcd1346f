// What a correction would change, as the program tells it.

export interface Preview {
  lines: string[];
  impossible: boolean;
}

interface Told {
  changes?: unknown;
  repair?: unknown;
  no_longer_fits?: unknown;
  refused?: unknown;
  message?: unknown;
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((one) => (typeof one === "string" ? one : String((one as { text?: unknown }).text ?? ""))).filter(Boolean);
}

export function consequences(result: unknown): Preview {
  if (typeof result !== "object" || result === null) return { lines: [], impossible: false };
  const told = result as Told;
  const refused = typeof told.refused === "string" ? told.refused : null;
  if (refused) return { lines: [refused], impossible: true };
  const misfits = texts(told.no_longer_fits).map((text) => `No longer fits: ${text}`);
  const lines = [...misfits, ...texts(told.changes)];
  return { lines: lines.length ? lines : ["Nothing else changes."], impossible: false };
}
