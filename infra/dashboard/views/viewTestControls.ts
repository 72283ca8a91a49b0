import type { StoredFault, StoredPodBehaviour } from '../../testCluster/controls/TestingObjects.ts';

/** A fault or a behaviour of pods that acts in a cluster for tests. */
export interface TestControlView {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly says: string;
  /** How many requests it has applied to, or how many pods have behaved in this way. */
  readonly acted: number;
}

export interface TestControlsView {
  readonly faults: readonly TestControlView[];
  readonly podBehaviours: readonly TestControlView[];
}

const CALLERS = { clients: 'clients', controllers: 'controllers', everyone: 'everyone' };

/** Pure. */
export function viewFault({ metadata, spec, status }: StoredFault): TestControlView {
  const { verb, resource, namespace, name, times, by = 'clients' } = spec;
  const what = [verb ?? 'each request', resource && `of ${resource}`, name && `named ${name}`];
  const where = [namespace && `in ${namespace}`, `by ${CALLERS[by]}`];
  const limit = times === undefined ? '' : `, ${times} ${times === 1 ? 'time' : 'times'}`;
  const says = `${[...what, ...where].filter(Boolean).join(' ')} ${effectOf(spec)}${limit}.`;
  return { name: metadata.name, says: says.replace(/^./, (letter) => letter.toUpperCase()), acted: status?.acted ?? 0 };
}

function effectOf({ respond, conflict, delay }: StoredFault['spec']): string {
  if (conflict) return 'meets a conflict';
  if (delay !== undefined) return `is answered after ${delay}`;
  return `is refused with ${respond?.reason ?? respond?.code ?? 'an error'}`;
}

/** Pure. */
export function viewPodBehaviour({ metadata, spec, status }: StoredPodBehaviour): TestControlView {
  const { image, imagePattern, labels, namespace, behave } = spec;
  const which = [
    image && `of ${image}`,
    imagePattern && `of images like ${imagePattern}`,
    ...Object.entries(labels ?? {}).map(([key, value]) => `with ${key}=${value}`),
    namespace && `in ${namespace}`,
  ].filter(Boolean);
  const does = Object.entries(behave).map(([field, value]) => (value === true ? field : `${field} ${value}`));
  const says = `${['Pods', ...which].join(' ')}: ${does.join(', ')}.`;
  return { name: metadata.name, says, acted: status?.acted ?? 0 };
}
