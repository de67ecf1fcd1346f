// "The rules in play": what this game is played by, to read at the table or to print.

import { useEffect, useState } from "preact/hooks";
import { read } from "../link";
import { Frame } from "./Sheet";

interface Line {
  text: string;
  clause: string;
  options: string[];
  name?: string;
  note?: string;
}

interface Section {
  title: string;
  is_sheet: boolean;
  lines: Line[];
}

interface Rules {
  title: string;
  sections: Section[];
  options: { name: string; setting: string; help: string; clause: string; is_default: boolean }[];
}

/** A closed section would be missing on paper. */
function printAll() {
  for (const section of document.querySelectorAll<HTMLDetailsElement>('[data-part="rules"] details')) section.open = true;
  print();
}

/** One sheet alone, to lay before whoever plays it. */
function printAlone(event: Event) {
  const section = (event.currentTarget as HTMLElement).closest("details");
  section?.classList.add("alone");
  print();
  section?.classList.remove("alone");
}

interface Props {
  /** A game that has not begun, as the query of the address; empty for the one that is played. */
  query?: string;
  onClose?: () => void;
}

export function RulesSheet({ query = "", onClose }: Props) {
  const [rules, take] = useState<Rules | null>(null);
  const [failed, fail] = useState<string | null>(null);
  useEffect(() => {
    read<Rules>(`rules${query}`)
      .then(take)
      .catch((error: Error) => fail(error.message));
  }, [query]);
  return (
    <Frame title="The rules in play" part="rules" onClose={onClose}>
      {failed && <p>{failed}</p>}
      {rules && (
        <>
          <div class="rules-head">
            <h3>{rules.title}</h3>
            <button type="button" onClick={printAll}>
              Print
            </button>
          </div>
          {rules.sections.map((section, at) => (
            <details open={at === 0} class={section.is_sheet ? "class-sheet" : undefined}>
              <summary>{section.title}</summary>
              {section.is_sheet && (
                <button type="button" onClick={printAlone}>
                  Print this sheet
                </button>
              )}
              {section.lines.map((line) => (
                <p>
                  {line.name && <b>{line.name}.</b>} {line.note && <em>{line.note}</em>} {line.text} {line.options.length > 0 && <mark>house rule</mark>} <small>{line.clause}</small>
                </p>
              ))}
            </details>
          ))}
          {rules.options.length > 0 && (
            <details open={rules.options.some((option) => !option.is_default)}>
              <summary>House rules</summary>
              <dl class="rules-options">
                {rules.options.map((option) => (
                  <div>
                    <dt>{option.name}</dt>
                    <dd>
                      <b>{option.setting}</b> {option.help} {!option.is_default && <mark>chosen for this game</mark>}{" "}
                      <small>{option.clause}</small>
                    </dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </>
      )}
    </Frame>
  );
}
