// What the camera saw: small beside a statement, large when touched.

import { useState } from "preact/hooks";
import { open, useStore } from "../store";

export const pictureAddress = (picture: string): string => `api/picture/${encodeURIComponent(picture)}.jpg`;

export function Picture({ picture, alt }: { picture: string; alt: string }) {
  const [gone, fail] = useState<string | null>(null);
  const { sheet } = useStore();
  if (gone === picture) return null;
  return (
    <button type="button" class="picture" aria-label={`${alt}: larger`} onClick={() => open({ kind: "picture", picture, back: sheet })}>
      <img src={pictureAddress(picture)} alt={alt} onError={() => fail(picture)} />
    </button>
  );
}
