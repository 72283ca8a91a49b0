import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RolloutState, ServerView, WorkloadView } from '../views/PageViews.ts';
import { TestControls } from './TestControls.tsx';
import { useStream } from './useStream.ts';

const ROW_PX = 44;
/** Rows beyond the window's edge, so that a quick scroll shows no gaps. */
const MARGIN_ROWS = 12;

/** What needs attention comes first. */
const ORDER: readonly RolloutState[] = ['stuck', 'rolling back', 'progressing', 'paused', 'ending', 'complete'];

/** Numbers in names are in their order: `web-9`, `web-10`. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** All workloads; of thousands, only those in the window are drawn. */
export function Overview({ server }: { readonly server: ServerView | undefined }) {
  const { told, lost } = useStream('/stream');
  const [text, setText] = useState('');
  const [state, setState] = useState<RolloutState | 'all'>('all');
  const [namespace, setNamespace] = useState('');
  const { all, namespaces, found } = useMemo(() => {
    const all = [...told.workloads.values()];
    const namespaces = [...new Set(all.map((one) => one.namespace))].sort(COLLATOR.compare);
    const wanted = { text: text.toLowerCase(), state, namespace };
    return { all, namespaces, found: all.filter((one) => isWanted(one, wanted)).sort(compareWorkloads) };
  }, [told, told.messageCount, text, state, namespace]);
  return (
    <main>
      <div class="bar">
        <h1>Workloads</h1>
        <input
          type="search"
          aria-label="Search by kind, namespace or name"
          placeholder="Search"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {(namespaces.length > 1 || namespace !== '') && (
          <select
            aria-label="Namespace"
            value={namespace}
            onChange={(event) => setNamespace(event.currentTarget.value)}
          >
            <option value="">all namespaces</option>
            {namespaces.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
        <div class="filters" role="group" aria-label="Filter by state">
          {(['all', ...ORDER] as const).map((one) => (
            <button type="button" key={one} aria-pressed={state === one} onClick={() => setState(one)}>
              {one} <b>{one === 'all' ? all.length : all.filter((workload) => workload.state === one).length}</b>
            </button>
          ))}
        </div>
      </div>
      <Problem why={lost ?? told.problem} />
      <TestControls server={server} nowMs={told.nowMs} images={[]} />
      {told.isKnown && found.length === 0 ? (
        <p class="nothing">
          {all.length === 0 ? 'There are no workloads yet. What you create appears here.' : 'Nothing matches.'}
        </p>
      ) : (
        <Rows workloads={found} />
      )}
    </main>
  );
}

interface Wanted {
  readonly text: string;
  readonly state: RolloutState | 'all';
  /** Empty: all. */
  readonly namespace: string;
}

function isWanted({ id, ...one }: WorkloadView, { text, state, namespace }: Wanted): boolean {
  if (namespace !== '' && one.namespace !== namespace) return false;
  return id.includes(text) && (state === 'all' || one.state === state);
}

function compareWorkloads(a: WorkloadView, b: WorkloadView): number {
  return (
    COLLATOR.compare(a.namespace, b.namespace) ||
    ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
    COLLATOR.compare(a.name, b.name)
  );
}

/** Why what is shown may be old, or not all. */
export function Problem({ why }: { readonly why: string | undefined }) {
  return (
    <p role="status" class={why ? 'problem' : 'hidden'}>
      {why}
    </p>
  );
}

function Rows({ workloads }: { readonly workloads: readonly WorkloadView[] }) {
  const [{ top, height }, setView] = useState({ top: 0, height: innerHeight });
  useEffect(() => {
    const look = () => setView({ top: Math.max(0, Math.floor(scrollY / ROW_PX) - MARGIN_ROWS), height: innerHeight });
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, []);
  const count = Math.ceil(height / ROW_PX) + 2 * MARGIN_ROWS;
  const first = Math.min(top, Math.max(0, workloads.length - count));
  const shown = workloads.slice(first, first + count);
  return (
    <ul class="rows" style={{ paddingTop: `${first * ROW_PX}px`, height: `${workloads.length * ROW_PX}px` }}>
      {shown.map((one) => (
        <Row key={one.id} workload={one} />
      ))}
    </ul>
  );
}

function Row({ workload }: { readonly workload: WorkloadView }) {
  const { kind, namespace, name, state, says, desired, available } = workload;
  const title = (
    <>
      <span class="quiet">{namespace}/</span>
      {name}
    </>
  );
  return (
    <li>
      <span class={`state ${state.replace(' ', '-')}`}>{state}</span>
      <span class="name">
        {kind === 'deployment' ? (
          <a href={`#/deployments/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`}>{title}</a>
        ) : (
          title
        )}
        {kind !== 'deployment' && <span class="quiet"> {kind}</span>}
      </span>
      <Bar workload={workload} />
      <span class="count">
        {available}/{desired}
      </span>
      <span class="says" title={says}>
        {says}
      </span>
    </li>
  );
}

/** Pods of the newest template, of older ones, and those that are not available. */
export function Bar({ workload }: { readonly workload: WorkloadView }) {
  const { desired, updated, total, available } = workload;
  const old = Math.max(0, total - updated);
  const whole = Math.max(desired, total, 1);
  const missing = Math.max(0, desired - available);
  const marked = Math.min(missing, old + updated);
  const label = `${updated} new, ${old} old, ${missing} not available, of ${desired}`;
  return (
    <svg class="share" viewBox={`0 0 ${whole} 10`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="share-old" x={0} y={0} width={old} height={10} />
      <rect class="share-new" x={old} y={0} width={updated} height={10} />
      <rect class="share-missing" x={old + updated - marked} y={7} width={marked} height={3} />
    </svg>
  );
}
