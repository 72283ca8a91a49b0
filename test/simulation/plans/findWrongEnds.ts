import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import type { Defect, Plan } from './Plan.ts';
import { play, type Played } from './play.ts';
import type { Story } from './Story.ts';

interface Tried {
  /** Every nth plan is tried. */
  readonly every: number;
  /** Only plans of this kind are tried. Absent: all. */
  readonly what?: Plan['what'];
  readonly defect?: Defect;
}

/** Plays a story without a plan, then with one plan after the other. Resolves to what each plan has made of the end that it did not leave as it was, as sentences. Throws if the story itself has nothing to do, or no end. */
export async function findWrongEnds(
  name: ControllerName,
  story: Story,
  { every, what, defect }: Tried,
): Promise<readonly string[]> {
  const calm = await play(name, story);
  if (calm.missing !== undefined) throw new Error(`without a plan: ${calm.missing}`);
  if (calm.todo === undefined) throw new Error('the story leaves nothing to do');
  const plans = plansFor(calm).filter((plan) => what === undefined || plan.what === what);
  const wrong: string[] = [];
  for (const plan of plans.filter((_, index) => index % every === 0)) {
    const { missing, there } = await play(name, story, { plan, defect });
    const found = missing ?? difference(calm.there, there);
    if (found !== undefined) wrong.push(`${plan.what} ${plan.nth}: ${found}`);
  }
  return wrong;
}

/** All plans for a story, by what it came to without one. */
function plansFor({ counts }: Played): readonly Plan[] {
  return Object.entries(counts).flatMap(([what, count]) =>
    Array.from({ length: count }, (_, index) => ({ what: what as Plan['what'], nth: index + 1 })),
  );
}

function difference(wanted: readonly string[], there: readonly string[]): string | undefined {
  if (wanted.join() === there.join()) return undefined;
  const lacks = wanted.filter((one) => !there.includes(one));
  const surplus = there.filter((one) => !wanted.includes(one));
  return `it lacks ${lacks.join()}, has ${surplus.join()} in their place, ${there.length} in all and not ${wanted.length}`;
}
