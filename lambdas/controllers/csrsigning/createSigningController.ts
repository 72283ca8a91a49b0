import type { CertificateSigningRequestStatus } from 'kubernetes-types/certificates/v1.js';
import type { CertificateAuthority } from '../../ports/CertificateAuthority.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { requestConditionOf, SIGNERS, SIGNING_REQUESTS, type SigningRequest } from '../csrapproving/SigningRequest.ts';
import { reasonInWords, reportDone } from './signingReasons.ts';
import { checkRequest } from './checkRequest.ts';
import { decideTerms } from './decideTerms.ts';

const OURS: ReadonlySet<string> = new Set(Object.values(SIGNERS));

/** Kubernetes' signing controller: issues the certificates of approved requests to the control plane's own signers. */
export function createSigningController(authority: CertificateAuthority): Controller<SyncContext> {
  return {
    name: 'csrsigning',
    resources: [SIGNING_REQUESTS],
    watches: [SIGNING_REQUESTS],
    keysFor: (change) => Promise.resolve(keysForChange(change)),
    keysToResync: (request) => keysOf(request as SigningRequest),
    sync: (key, context) => syncRequest(authority, key, context),
  };
}

function keysForChange(change: Change) {
  return change.type === 'DELETED' ? [] : keysOf(subjectOf(change) as SigningRequest).map((key) => ({ key }));
}

function keysOf(request: SigningRequest): readonly WorkKey[] {
  return waitsForCertificate(request) ? [{ controller: 'csrsigning', namespace: '', name: request.metadata.name }] : [];
}

function waitsForCertificate(request: SigningRequest): boolean {
  const has = (type: string) => requestConditionOf(request, type) !== undefined;
  const isOpen = has('Approved') && !has('Denied') && !has('Failed') && !request.status?.certificate;
  return isOpen && OURS.has(request.spec?.signerName ?? '');
}

async function syncRequest(authority: CertificateAuthority, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const place = { resource: SIGNING_REQUESTS, namespace: '', name: key.name };
  const request = await context.registry.get<SigningRequest>(place);
  if (!request) return reportDone({ reason: 'isGone' });
  if (!waitsForCertificate(request)) return reportDone({ reason: 'requestNeedsNoCertificate' });
  const { spec } = request;
  const { usages = [], expirationSeconds } = spec ?? {};
  const signerName = spec?.signerName ?? '';
  const decoded = await authority.decodeRequest(spec?.request ?? '');
  if (!decoded) return await write(request, failed(request, 'unable to parse csr', context.nowMs), 'refuse', context);
  const problem = checkRequest(signerName, decoded, usages);
  if (problem !== undefined) return await write(request, failed(request, problem, context.nowMs), 'refuse', context);
  const certificate = await authority.sign(decoded, decideTerms(usages, expirationSeconds, context.nowMs));
  const status = { ...request.status, certificate: Buffer.from(certificate).toString('base64') };
  return await write(request, status, 'sign', context);
}

function failed({ status }: SigningRequest, message: string, nowMs: number): CertificateSigningRequestStatus {
  const now = formatTime(nowMs);
  const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return { ...status, conditions: [...(status?.conditions ?? []), { ...condition, ...times }] };
}

async function write(
  request: SigningRequest,
  status: CertificateSigningRequestStatus,
  verb: 'sign' | 'refuse',
  { registry }: SyncContext,
): Promise<SyncReport> {
  const changed = { ...request, status };
  const options = { subresource: 'status', from: request } as const;
  const outcome = await registry.update<SigningRequest>(SIGNING_REQUESTS, changed, options);
  if (outcome.status === 'stored') {
    const reason = verb === 'sign' ? 'certificateIsIssued' : 'certificateIsRefused';
    return reportDone({ reason }, [`${verb} ${SIGNING_REQUESTS} ${request.metadata.name}`]);
  }
  const { reason } = outcome.error;
  if (reason !== 'Conflict' && reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}
