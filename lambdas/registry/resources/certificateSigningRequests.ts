import type { CertificateSigningRequest as ApiRequest } from 'kubernetes-types/certificates/v1.js';
import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { formatTime } from '../../ports/Clock.ts';
import { parseCertificateRequest } from '../../objects/certificates/parseCertificateRequest.ts';
import { defineResource } from '../defineResource.ts';
import { humanDuration } from '../tables/humanDuration.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { conditionsOf, countOf, DECISIONS, statusOf, typesOf } from '../validation/access/signingConditions.ts';
import {
  approvalErrors,
  signingRequestSpec,
  signingStatusErrors,
} from '../validation/access/validateSigningRequest.ts';
import { selectFields } from './standardRules.ts';

type Request = Stored<ApiRequest>;

/** Gives the decisions their old contents if none came or went. */
function keepDecisions(draft: KubernetesObject, old: KubernetesObject): void {
  const kept = DECISIONS.filter((type) => countOf(old, type) > 0 && countOf(draft, type) === countOf(old, type));
  if (kept.length === 0) return;
  const before = new Map(kept.map((type) => [type, conditionsOf(old).filter((condition) => condition.type === type)]));
  const conditions = conditionsOf(draft).map((condition) => before.get(textOf(condition.type))?.shift() ?? condition);
  draft['status'] = { ...statusOf(draft), conditions: copyJson(conditions) };
}

/** Fills in the times that a condition came without: when it was updated is now, and so is when it changed, unless it was there before. */
function populateConditionTimes(draft: KubernetesObject, old: KubernetesObject, nowMs: number): void {
  const now = formatTime(nowMs);
  const conditions = conditionsOf(draft).map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime || now,
    lastTransitionTime: condition.lastTransitionTime || sameCondition(old, condition)?.lastTransitionTime || now,
  }));
  if (conditions.length > 0) draft['status'] = { ...statusOf(draft), conditions };
}

function sameCondition(old: KubernetesObject, { type, status }: ReturnType<typeof conditionsOf>[number]) {
  return conditionsOf(old).find((before) => before.type === type && before.status === status);
}

function conditionCell(object: Request): string {
  const types = typesOf(object);
  const decision = types.find((type) => DECISIONS.includes(type)) ?? 'Pending';
  const isIssued = Boolean(object.status?.certificate);
  return [decision, ...(types.includes('Failed') ? ['Failed'] : []), ...(isIssued ? ['Issued'] : [])].join(',');
}

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
/** Its members may do everything, and no role binding can take that back. */
const SUPERUSERS = 'system:masters';

/** CertificateSubjectRestriction: nobody gets a certificate of a superuser from the API. */
function restrictSubject({ spec }: Request): string | undefined {
  if (spec.signerName !== CLIENT_SIGNER) return undefined;
  const parsed = parseCertificateRequest(textOf(spec.request));
  if (parsed.status === 'refused') return `failed to parse CSR: ${parsed.why}`;
  const asks = parsed.request.subject.some(({ type, value }) => type === 'O' && value === SUPERUSERS);
  return asks ? `use of ${CLIENT_SIGNER} signer with ${SUPERUSERS} group is not allowed` : undefined;
}

export const certificateSigningRequests = defineResource({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  shortNames: ['csr'],
  namespaced: false,
  status: true,
  approval: true,
  check: fields({ spec: signingRequestSpec }),
  selectableFields: (object) => selectFields(object, ['spec.signerName']),
  strategy: {
    setRequester(draft, requester) {
      const {
        username: _name,
        uid: _uid,
        groups: _groups,
        extra: _extra,
        ...spec
      } = fieldsOf<NonNullable<Request['spec']>>(draft['spec']);
      draft['spec'] = { ...spec, ...requester };
    },
    forbidsCreate: (object) => restrictSubject(object as Request),
    prepareForUpdate(draft, old) {
      draft['spec'] = copyJson(old['spec']);
    },
    prepareForStatusUpdate(draft, old, nowMs) {
      keepDecisions(draft, old);
      populateConditionTimes(draft, old, nowMs);
    },
    prepareForApproval(draft, old, nowMs) {
      const { conditions } = statusOf(draft);
      const { conditions: _conditions, ...status } = statusOf(copyJson(old));
      draft['status'] = { ...status, ...(conditions !== undefined && { conditions }) };
      populateConditionTimes(draft, old, nowMs);
    },
    validateApproval: approvalErrors,
    validateStatusUpdate: signingStatusErrors,
  },
  table: tableOf<Request>(
    nameCell,
    ageCell,
    cell('SignerName', 'Who is asked to sign.', ({ spec }) => spec.signerName),
    cell('Requestor', 'Who asks.', ({ spec }) => spec.username ?? ''),
    cell('RequestedDuration', 'How long the certificate should be valid.', ({ spec }) =>
      spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    ),
    cell('Condition', 'What was decided, and whether the certificate is there.', conditionCell),
  ),
});
