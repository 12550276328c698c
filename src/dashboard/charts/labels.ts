/** A label of a point. */
export interface LabelWish {
  readonly x: number;
  readonly y: number;
  readonly side: "above" | "below";
  readonly width: number;
}

export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface LabelArea {
  readonly width: number;
  readonly height: number;
}

export const LABEL_HEIGHT = 15;
/** Distance of a label from its point, and of two labels from each other, px. */
const GAP = { point: 8, label: 2 } as const;
/** Places that are tried on each side. */
const STEPS = 9;

/**
 * Places texts beside their points so that none overlaps another: on its own side as near as possible, else on the other
 * one. null for a text that has no place left.
 */
export function placeLabels(wishes: readonly LabelWish[], area: LabelArea): readonly (LabelBox | null)[] {
  const placed: LabelBox[] = [];
  return wishes.map((wish) => {
    const box = candidates(wish, area).find(
      (candidate) => isInside(candidate, area) && !placed.some((other) => overlaps(candidate, other)),
    );
    if (box !== undefined) placed.push(box);
    return box ?? null;
  });
}

function candidates({ x, y, side, width }: LabelWish, area: LabelArea): readonly LabelBox[] {
  const left = Math.max(2, Math.min(x - width / 2, area.width - width - 2));
  const step = LABEL_HEIGHT + GAP.label;
  const box = (top: number): LabelBox => ({ left, top, width, height: LABEL_HEIGHT });
  const up = Array.from({ length: STEPS }, (_, n) => box(y - GAP.point - LABEL_HEIGHT - n * step));
  const down = Array.from({ length: STEPS }, (_, n) => box(y + GAP.point + n * step));
  return side === "above" ? [...up, ...down] : [...down, ...up];
}

const isInside = ({ top, height }: LabelBox, area: LabelArea): boolean =>
  top >= 0 && top + height <= area.height;

const overlaps = (a: LabelBox, b: LabelBox): boolean =>
  a.left < b.left + b.width + GAP.label &&
  b.left < a.left + a.width + GAP.label &&
  a.top < b.top + b.height + GAP.label &&
  b.top < a.top + a.height + GAP.label;
