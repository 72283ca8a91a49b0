import type { ClusterInNamespace } from '../Cluster.ts';
import { eventLines } from './eventLines.ts';
import { progressOf } from './progressOf.ts';

const EVENTS_SHOWN = 10;

/** The kinds whose rollout may be what a test waited for in vain. */
const EXPLAINED = ['deployment', 'statefulset', 'daemonset', 'job'] as const;

/** Tells what a failed test leaves behind in its namespace: the explanation of each workload that is not complete, and the last events. Ends with a newline. */
export async function failureReport(cluster: ClusterInNamespace, namespace: string): Promise<string> {
  const sections: string[] = [];
  for (const kind of EXPLAINED) {
    for (const object of await cluster.list(kind)) {
      if (progressOf(object).phase === 'complete') continue;
      sections.push((await cluster.explain(`${kind}/${object.metadata.name}`)).trimEnd());
    }
  }
  const events = eventLines(await cluster.list('events'), EVENTS_SHOWN);
  if (events.length > 0)
    sections.push(`The last events in ${namespace}:\n${events.map((line) => `  ${line}`).join('\n')}`);
  if (sections.length === 0) return `Nothing is left unfinished in ${namespace}, and it has no events.\n`;
  return `${sections.join('\n\n')}\n`;
}
