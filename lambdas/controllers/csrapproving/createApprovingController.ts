import type { CertificateAuthority } from '../../ports/CertificateAuthority.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { reasonInWords, reportDone } from './approvingReasons.ts';
import { type Recognized, recognizeRequest } from './recognizeRequest.ts';
import { isDecided, SIGNING_REQUESTS, type SigningRequest } from './SigningRequest.ts';

/** Whether the user who made a request may create this subresource of certificate signing requests. */
export type MayCreate = (
  user: { readonly username: string; readonly groups: readonly string[] },
  subresource: Recognized['subresource'],
) => Promise<boolean>;

export interface ApprovingDeps {
  readonly authority: CertificateAuthority;
  readonly mayCreate: MayCreate;
}

/** Kubernetes' approving controller: approves the requests of kubelets for client certificates, if their users may have them. All other requests wait for a person. */
export function createApprovingController(deps: ApprovingDeps): Controller<SyncContext> {
  return {
    name: 'csrapproving',
    resources: [SIGNING_REQUESTS],
    watches: [SIGNING_REQUESTS],
    keysFor: (change) => Promise.resolve(keysForChange(change)),
    keysToResync: (request) => keysOf(request as SigningRequest),
    sync: (key, context) => syncRequest(deps, key, context),
  };
}

function keysForChange(change: Change) {
  return change.type === 'DELETED' ? [] : keysOf(subjectOf(change) as SigningRequest).map((key) => ({ key }));
}

function keysOf(request: SigningRequest): readonly WorkKey[] {
  return isDecided(request) ? [] : [{ controller: 'csrapproving', namespace: '', name: request.metadata.name }];
}

async function syncRequest(deps: ApprovingDeps, { name }: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { registry } = context;
  const request = await registry.get<SigningRequest>({ resource: SIGNING_REQUESTS, namespace: '', name });
  if (!request) return reportDone({ reason: 'isGone' });
  if (isDecided(request)) return reportDone({ reason: 'requestIsDecided' });
  const decoded = await deps.authority.decodeRequest(request.spec?.request ?? '');
  if (!decoded) return reportDone({ reason: 'requestIsNotRecognized' });
  const { username = '', groups = [] } = request.spec ?? {};
  for (const { subresource, message } of recognizeRequest(request, decoded)) {
    if (await deps.mayCreate({ username, groups }, subresource)) return await approve(request, message, context);
  }
  return reportDone({ reason: 'requestIsNotRecognized' });
}

async function approve(request: SigningRequest, message: string, context: SyncContext): Promise<SyncReport> {
  const now = formatTime(context.nowMs);
  const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  const condition = { ...approved, lastUpdateTime: now, lastTransitionTime: now };
  const conditions = [...(request.status?.conditions ?? []), condition];
  const changed = { ...request, status: { ...request.status, conditions } };
  const options = { subresource: 'approval', from: request } as const;
  const outcome = await context.registry.update<SigningRequest>(SIGNING_REQUESTS, changed, options);
  if (outcome.status === 'stored')
    return reportDone({ reason: 'requestIsApproved' }, [`approve ${SIGNING_REQUESTS} ${request.metadata.name}`]);
  const { reason } = outcome.error;
  if (reason !== 'Conflict' && reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}
