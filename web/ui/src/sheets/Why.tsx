// "Why?": clause, sum and inputs, in one small sheet.

import { useEffect, useState } from "preact/hooks";
import { sentence, words } from "../format";
import { read } from "../link";
import type { View, Why } from "../types";
import { Frame } from "./Sheet";

export function WhySheet({ entry, view }: { entry: number; view: View }) {
  const [why, take] = useState<Why | null>(null);
  const [failed, fail] = useState<string | null>(null);
  useEffect(() => {
    read<Why>(`why?entry=${entry}`)
      .then(take)
      .catch((error: Error) => fail(error.message));
  }, [entry, view.version]);
  return (
    <Frame title="Why?" part="why">
      {failed && <p>{failed}</p>}
      {why?.text && <p class="why-text">{why.text}</p>}
      {why?.sum && <p class="why-sum">{why.sum}</p>}
      <Inputs inputs={why?.inputs} />
      {why?.clause && <p class="quiet-text">Rule {why.clause}</p>}
    </Frame>
  );
}

function Inputs({ inputs }: { inputs: Why["inputs"] }) {
  if (!inputs) return null;
  const rows: [string, unknown][] = Array.isArray(inputs)
    ? inputs.map((row) => [row.label, row.value])
    : Object.entries(inputs).map(([label, value]) => [sentence(words(label)), value]);
  if (!rows.length) return null;
  return (
    <table class="inputs">
      <tbody>
        {rows.map(([label, value]) => (
          <tr>
            <td>{label}</td>
            <td>{Array.isArray(value) ? value.join(", ") : String(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
