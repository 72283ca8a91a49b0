import { type Draft, isDraft } from './drafts.ts';

/** Maps whose keys the user chooses: only nulls are dropped from them. */
const USER_MAPS = new Set(['labels', 'annotations', 'nodeSelector', 'matchLabels', 'limits', 'requests', 'overhead']);
const USER_MAPS_OF_VOLUMES = new Set(['volumeAttributes', 'options']);

/** Plain values that Kubernetes does not write when they are zero, false or empty. In other fields zero differs from absent. */
const OMITTED_WHEN_ZERO = new Set(
  `hostNetwork hostPID hostIPC nodeName serviceAccountName serviceAccount hostname subdomain schedulerName priorityClassName
  restartPolicy dnsPolicy image imagePullPolicy workingDir terminationMessagePath terminationMessagePolicy stdin stdinOnce tty
  hostPort hostIP protocol subPath subPathExpr initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold
  host scheme operator effect medium prefix`.split(/\s+/),
);

/**
 * Removes from a pod or pod template what Kubernetes drops when it decodes and encodes it: nulls, empty lists and maps, zero values of plain fields.
 * A template with `hostNetwork: false` thus equals one without the field, and adding the field starts no rollout.
 */
export function dropZeroValues(draft: Draft): void {
  for (const [field, value] of Object.entries(draft)) {
    if (isOmitted(field, value)) delete draft[field];
    else if (Array.isArray(value)) for (const item of value) dropIn(item);
    else if (isUserMap(field, draft)) dropNulls(value);
    else dropIn(value);
  }
}

function dropIn(value: unknown): void {
  if (isDraft(value)) dropZeroValues(value);
}

function isOmitted(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value === '' || value === 0 || value === false) return OMITTED_WHEN_ZERO.has(field);
  return USER_MAPS.has(field) && isDraft(value) && Object.keys(value).length === 0;
}

/** `options` is a user's map in a flexVolume, and a list of objects in a dnsConfig. */
function isUserMap(field: string, parent: Draft): boolean {
  return isDraft(parent[field]) && (USER_MAPS.has(field) || USER_MAPS_OF_VOLUMES.has(field));
}

function dropNulls(value: unknown): void {
  if (!isDraft(value)) return;
  for (const [key, entry] of Object.entries(value)) if (entry === null) delete value[key];
}
