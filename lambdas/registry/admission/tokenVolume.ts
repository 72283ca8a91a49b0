import { createHash } from 'node:crypto';
import type { Volume, VolumeMount } from 'kubernetes-types/core/v1.js';
import { NAME_ALPHABET } from '../../ports/Ids.ts';

export const TOKEN_MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

const PREFIX = 'kube-api-access-';
const SUFFIX_LENGTH = 5;
/** Bounds the memory of a process that serves very many accounts. */
const MOST_REMEMBERED = 1_000;

/** The volume of a service account's token, and its mount. All are frozen: the pods of one account share them. */
export interface TokenVolume {
  readonly volume: Volume;
  /** For a pod without other volumes. */
  readonly volumes: Volume[];
  readonly mount: VolumeMount;
  /** For a container without other mounts. */
  readonly mounts: VolumeMount[];
}

const remembered = new Map<string, TokenVolume>();

/** The token volume that the pod has already, under its own name. Pure. */
export function tokenVolumeOf(volumes: readonly Volume[]): TokenVolume | undefined {
  const found = volumes.find(({ name }) => name?.startsWith(PREFIX));
  return found && named(found.name);
}

/**
 * The token volume for the pods of an account, which is given as `namespace/name`. The end of the volume's name depends on the account: it must be unique within its pod only, and pods share what
 * is equal. Kubernetes draws it for each pod.
 */
export function tokenVolumeFor(account: string): TokenVolume {
  const known = remembered.get(account);
  if (known) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const made = named(`${PREFIX}${suffixOf(account)}`);
  remembered.set(account, made);
  return made;
}

function suffixOf(account: string): string {
  const digest = createHash('sha256').update(account).digest();
  return [...digest.subarray(0, SUFFIX_LENGTH)].map((byte) => NAME_ALPHABET[byte % NAME_ALPHABET.length]).join('');
}

function named(name: string): TokenVolume {
  const volume = deepFreeze({ name, projected: PROJECTED });
  const mount = Object.freeze({ name, readOnly: true, mountPath: TOKEN_MOUNT_PATH });
  return { volume, volumes: deepFreeze([volume]), mount, mounts: deepFreeze([mount]) };
}

/** True for a volume that admission has added to a new pod. Nobody can change what is in it. */
export function isAddedTokenVolume({ projected }: { readonly projected?: unknown }): boolean {
  return projected === PROJECTED;
}

/** The token, the certificate of the API, and the pod's namespace. A kubelet that asks for 3,607 seconds gets a token for a year, see `decideTokenRequest.ts`. */
const PROJECTED = deepFreeze({
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ],
  defaultMode: 420,
});

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
