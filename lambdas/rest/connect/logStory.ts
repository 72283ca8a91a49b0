import type { Container, Volume } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { allContainers, environmentReferences, type ObjectReference } from '../../objects/pods/podReferences.ts';

const PREFIX = 'simulate.driftless.dev/';
const KINDS = { configmaps: 'ConfigMap', secrets: 'Secret', persistentvolumeclaims: 'PersistentVolumeClaim' } as const;

/**
 * Returns what a simulated container writes about its configuration when it starts: what it runs, from where its variables come, and what it has mounted. Values are not written: they may be secret. A container without any of that writes
 * nothing. Pure.
 */
export function configurationLines({ spec }: Pod, name: string): readonly string[] {
  const container = spec && allContainers(spec).find((one) => one.name === name);
  if (!container) return [];
  const { command = [], args = [] } = container;
  const sources = new Set(environmentReferences(container).map(sourceText));
  return [
    ...(command.length + args.length > 0 ? [`${name} runs ${[...command, ...args].map(word).join(' ')}`] : []),
    ...(sources.size > 0 ? [`${name} has variables of ${[...sources].join(', ')}`] : []),
    ...mountTexts(container, spec.volumes ?? []).map((text) => `${name} has mounted ${text}`),
  ];
}

function word(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text);
}

function sourceText({ resource, name }: Pick<ObjectReference, 'resource' | 'name'>): string {
  return `${KINDS[resource]} ${name}`;
}

function mountTexts({ volumeMounts = [] }: Container, volumes: readonly Volume[]): readonly string[] {
  return volumeMounts.flatMap(({ name, mountPath }) => {
    const volume = volumes.find((one) => one.name === name);
    const what = volume && volumeText(volume);
    return what === undefined ? [] : [`${what} at ${mountPath}`];
  });
}

/** What a volume shows; `undefined` for one that every pod has, or that begins empty. */
function volumeText({ configMap, secret, persistentVolumeClaim, hostPath }: Volume): string | undefined {
  if (configMap) return sourceText({ resource: 'configmaps', name: configMap.name ?? '' });
  if (secret) return sourceText({ resource: 'secrets', name: secret.secretName ?? '' });
  if (persistentVolumeClaim)
    return sourceText({ resource: 'persistentvolumeclaims', name: persistentVolumeClaim.claimName });
  return hostPath && `the host's ${hostPath.path}`;
}

/** The annotations that make containers fail. */
const CAUSES = ['crash-after', 'fail-attempts', 'fail-indexes', 'exit-code'] as const;

/** Returns why a run of a simulated container ended, as far as the pod tells; `undefined` if it just ended. Times are in milliseconds. Pure. */
export function endingCause(
  { metadata, spec, status }: Pod,
  name: string,
  { exitCode, finishedMs }: { readonly exitCode: number; readonly finishedMs: number },
): string | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, annotations = {} } = metadata;
  const stoppedMs = Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000;
  if (finishedMs >= stoppedMs) return `${name} is stopped, because its pod is deleted`;
  if (exitCode === 137 && status?.reason === 'DeadlineExceeded') return `${name} is killed: ${status.message ?? ''}`;
  if (exitCode === 0) return undefined;
  const isInit = spec?.initContainers?.some((one) => one.name === name) === true;
  const causes = isInit ? ['fail-init'] : CAUSES;
  const asked = causes.flatMap((cause) => {
    const value = annotations[PREFIX + cause];
    return value === undefined ? [] : [`${PREFIX}${cause}=${value}`];
  });
  return asked.length === 0 ? undefined : `${name} fails, as asked by ${asked.join(', ')}`;
}
