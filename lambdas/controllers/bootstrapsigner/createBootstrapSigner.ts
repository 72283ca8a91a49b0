import type { ConfigMap as ApiConfigMap } from 'kubernetes-types/core/v1.js';
import {
  decodeBootstrapToken,
  isBootstrapToken,
  type Secret,
  TOKEN_NAMESPACE,
} from '../../objects/certificates/bootstrapToken.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { reasonInWords, reportDone } from './bootstrapSignerReasons.ts';
import { createHmac } from 'node:crypto';

type ConfigMap = Stored<ApiConfigMap>;

/** The config map by which a machine finds its cluster. Everybody may read it, so it is signed. */
const PLACE = { resource: 'configmaps', namespace: 'kube-public', name: 'cluster-info' } as const;
const KEY: WorkKey = { controller: 'bootstrapsigner', namespace: PLACE.namespace, name: PLACE.name };
const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/** Kubernetes' bootstrap signer: signs the kubeconfig of `cluster-info` once for each bootstrap token that is for signing. */
export function createBootstrapSigner(): Controller<SyncContext> {
  return {
    name: 'bootstrapsigner',
    resources: ['configmaps'],
    watches: ['configmaps', 'secrets'],
    keysFor: (change: Change) => keysOf(subjectOf(change), change.resource).map((key) => ({ key })),
    keysToResync: keysOf,
    sync: (_, context) => syncSignatures(context),
  };
}

function keysOf(object: KubernetesObject, resource: GroupResource): readonly WorkKey[] {
  const { namespace, name } = object.metadata;
  const isInfo = resource === 'configmaps' && name === PLACE.name && namespace === PLACE.namespace;
  return isInfo || (resource === 'secrets' && isBootstrapToken(object)) ? [KEY] : [];
}

/** `signConfigMap`. The token cleaner deletes a token that has ended, and that is a change. */
async function syncSignatures({ registry, nowMs }: SyncContext): Promise<SyncReport> {
  const info = await registry.get<ConfigMap>(PLACE);
  const kubeconfig = info?.data?.['kubeconfig'];
  if (!info || kubeconfig === undefined) return reportDone({ reason: 'isGone' });
  const { items } = await registry.list<Secret>('secrets', { namespace: TOKEN_NAMESPACE });
  const data = signed(info.data ?? {}, kubeconfig, items, nowMs);
  if (isSame(data, info.data ?? {})) return reportDone({ reason: 'clusterInfoIsSigned' });
  const outcome = await registry.update<ConfigMap>(PLACE.resource, { ...info, data }, { from: info });
  if (outcome.status !== 'refused')
    return reportDone({ reason: 'clusterInfoIsSigned' }, ['sign configmaps cluster-info']);
  const { reason } = outcome.error;
  if (reason !== 'Conflict' && reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

function signed(
  data: Readonly<Record<string, string>>,
  kubeconfig: string,
  secrets: readonly Secret[],
  nowMs: number,
): Record<string, string> {
  const unsigned = Object.entries(data).filter(([name]) => !name.startsWith(SIGNATURE_PREFIX));
  const signatures = secrets.flatMap((secret) => {
    const token = decodeBootstrapToken(secret);
    if (!token?.signs || token.endMs <= nowMs) return [];
    return [[SIGNATURE_PREFIX + token.id, detachedSignature(kubeconfig, token.id, token.secret)] as const];
  });
  return Object.fromEntries([...unsigned, ...signatures]);
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * Signs a text by a bootstrap token: a JSON web signature (RFC 7515) of which the text is left out, as kubeadm expects it. It compares texts, so the header is exactly as Go writes it. A machine that knows the token can
 * tell by it that the text comes from somebody who knows the token, too. Pure.
 */
export function detachedSignature(text: string, tokenId: string, tokenSecret: string): string {
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: tokenId }));
  const signature = createHmac('sha256', tokenSecret)
    .update(`${header}.${base64url(text)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
