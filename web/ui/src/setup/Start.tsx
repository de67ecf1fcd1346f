// Everything once more, before the first throw.

import { sentence, words } from "../format";
import { Mark } from "../parts/Mark";
import { grouped } from "./Game";
import { faceOfSeat } from "./Players";
import type { StepProps } from "./Setup";

export function StartStep({ choices, setup, catalog }: StepProps) {
  const variant = catalog.variants.find((one) => one.name === choices.variant);
  const changed = Object.entries(choices.options).filter(([name, value]) => variant?.options.find((one) => one.name === name)?.default !== value);
  const groups = (variant?.choices ?? []).flatMap((one) =>
    Object.entries(grouped(choices.seats, one)[one.gathers ?? ""] ?? {}).map(([name, members]) => [one.name, name, members] as const),
  );
  const camera = setup.cameras.find((one) => one.camera === setup.camera)?.label ?? setup.camera ?? "none";
  return (
    <section class="step start-step">
      <h2>All tokens on GO?</h2>
      <p class="start-players">
        {choices.seats.map((one) => (
          <span class="with-mark">
            <Mark face={faceOfSeat(one)} size={40} /> {one.name}
          </span>
        ))}
      </p>
      <table class="inputs">
        <tbody>
          <tr>
            <td>Game</td>
            <td>{variant?.title ?? sentence(words(choices.variant))}</td>
          </tr>
          {choices.edition && (
            <tr>
              <td>Edition</td>
              <td>{catalog.editions[choices.edition]?.title ?? sentence(words(choices.edition))}</td>
            </tr>
          )}
          {groups.map(([choice, name, members]) => (
            <tr>
              <td>{`${sentence(words(choice))} ${name}`}</td>
              <td>{members.join(", ")}</td>
            </tr>
          ))}
          {changed.map(([name, value]) => (
            <tr>
              <td>{sentence(words(name))}</td>
              <td>{value === true ? "yes" : value === false ? "no" : String(value)}</td>
            </tr>
          ))}
          <tr>
            <td>Camera</td>
            <td>{camera}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
