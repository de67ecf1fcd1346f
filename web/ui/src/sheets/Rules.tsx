// "The rules in play": what this game is played by, to read at the table or to print.

import { useEffect, useState } from "preact/hooks";
import { sentence } from "../format";
import { read } from "../link";
import { Frame } from "./Sheet";

interface Line {
  text: string;
  clause: string;
  options: string[];
  changed: boolean;
}

interface Rules {
  title: string;
  sections: { title: string; lines: Line[] }[];
  options: { name: string; setting: string; help: string; clause: string; is_default: boolean }[];
}

/** A closed section would be missing on paper. */
function printAll() {
  for (const section of document.querySelectorAll<HTMLDetailsElement>('[data-part="rules"] details')) section.open = true;
  print();
}

export function RulesSheet() {
  const [rules, take] = useState<Rules | null>(null);
  const [failed, fail] = useState<string | null>(null);
  useEffect(() => {
    read<Rules>("rules")
      .then(take)
      .catch((error: Error) => fail(error.message));
  }, []);
  return (
    <Frame title="The rules in play" part="rules">
      {failed && <p>{failed}</p>}
      {rules && (
        <>
          <div class="rules-head">
            <h3>{rules.title}</h3>
            <button type="button" onClick={printAll}>
              Print
            </button>
          </div>
          <dl class="rules-options">
            {rules.options.map((option) => (
              <div>
                <dt>
                  {sentence(option.name)}: <b>{option.setting}</b>
                  {!option.is_default && <mark>chosen for this game</mark>}
                </dt>
                <dd>
                  {option.help} <small>{option.clause}</small>
                </dd>
              </div>
            ))}
          </dl>
          {rules.sections.map((section) => (
            <details>
              <summary>{section.title}</summary>
              {section.lines.map((line) => (
                <p>
                  {line.changed && <mark>changed above</mark>}
                  {line.options.length > 0 && <mark>by an option</mark>} {line.text} <small>{line.clause}</small>
                </p>
              ))}
            </details>
          ))}
        </>
      )}
    </Frame>
  );
}
