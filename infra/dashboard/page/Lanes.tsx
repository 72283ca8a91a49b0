import type { PodState, PodView, ReplicaSetView } from '../views/PageViews.ts';
import type { Told } from './Told.ts';

const STATES: readonly PodState[] = [
  'created',
  'scheduled',
  'pulling',
  'running',
  'ready',
  'available',
  'failed',
  'ending',
];
const MARK_PX = 12;
const MARKS_IN_ROW = 50;

/** A lane for each ReplicaSet that has pods or should have some, with a mark for each pod. */
export function Lanes({ told }: { readonly told: Told }) {
  const byOwner = Map.groupBy(told.pods.values(), (pod) => pod.owner);
  const lanes = [...told.replicaSets.values()]
    .filter(({ uid, desired, isNew }) => isNew || desired > 0 || byOwner.has(uid))
    .sort((a, b) => Number(b.isNew) - Number(a.isNew) || Number(b.revision) - Number(a.revision));
  return (
    <>
      <h2>Pods</h2>
      {lanes.map((lane) => (
        <Lane key={lane.uid} lane={lane} pods={byOwner.get(lane.uid) ?? []} />
      ))}
      <p class="legend">
        {STATES.map((state) => (
          <span key={state}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`pod ${state}`} x="1" y="1" width="8" height="8" rx="2" />
            </svg>{' '}
            {state}
          </span>
        ))}
      </p>
    </>
  );
}

function Lane({ lane, pods }: { readonly lane: ReplicaSetView; readonly pods: readonly PodView[] }) {
  const counts = STATES.flatMap((state) => {
    const count = pods.filter((pod) => pod.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const rows = Math.max(1, Math.ceil(pods.length / MARKS_IN_ROW));
  const said = counts.length === 0 ? 'no pods' : counts.join(', ');
  return (
    <div class={lane.isNew ? 'lane new' : 'lane'}>
      <div>
        <b>{lane.isNew ? 'New' : 'Old'}</b> revision {lane.revision} <span class="quiet">{lane.name}</span>{' '}
        <span class="quiet">wants {lane.desired}:</span> {said}
      </div>
      <svg
        class="marks"
        width={MARKS_IN_ROW * MARK_PX}
        height={rows * MARK_PX}
        viewBox={`0 0 ${MARKS_IN_ROW * MARK_PX} ${rows * MARK_PX}`}
        role="img"
        aria-label={`${lane.name}: ${said}`}
      >
        {pods.map(({ id, name, state, reason, node }, index) => (
          <rect
            key={id}
            class={`pod ${state}`}
            x={(index % MARKS_IN_ROW) * MARK_PX + 1}
            y={Math.floor(index / MARKS_IN_ROW) * MARK_PX + 1}
            width={MARK_PX - 2}
            height={MARK_PX - 2}
            rx="2"
          >
            <title>{[name, state, node, reason].filter(Boolean).join('\n')}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}
