import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration as ApiLevel,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from 'kubernetes-types/flowcontrol/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { childDraft, presentDraft } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, atLeast, atMost, type Check, enumOf, fields, ifPresent, notNegative } from '../validation/checks.ts';
import { isInRange } from '../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, required } from '../validation/fieldErrors.ts';
import { flowConditions } from '../validation/flowSchemaRules.ts';
import { fieldsOf, isPresent, numberOf, textOf } from '../validation/fieldsOf.ts';

type Level = Stored<ApiLevel>;

function applyTypeDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  if (spec['type'] === 'Limited') childDraft(spec, 'limited');
  if (spec['type'] === 'Exempt') childDraft(spec, 'exempt');
  const limited = presentDraft(spec, 'limited');
  if (!limited) return;
  fillDefaults(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const queuing = presentDraft(presentDraft(limited, 'limitResponse') ?? {}, 'queuing');
  if (queuing) fillDefaults(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 });
}

const percent: Check = (value, path) => invalidEach(path, value, isInRange(numberOf(value), 0, 100));
const positive = atLeast(1, 'must be positive');

const MAX_QUEUES = 10_000_000;
/** The bits of a hash, from which a request's hand of queues is dealt. */
const HASH_BITS = 60;

const handSize: Check = (value, path) => {
  const given = fieldsOf<QueuingConfiguration>(value);
  const [hand, queues] = [numberOf(given.handSize), numberOf(given.queues)];
  if (hand <= 0) return [invalid(path, hand, 'must be positive')];
  if (hand > queues) return [invalid(path, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= HASH_BITS) return [];
  const need = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(path, hand, `${need} should not be greater than ${HASH_BITS}`)];
};

const queuing: Check = (value, path) => [
  ...fields({
    queueLengthLimit: positive,
    queues: all(positive, atMost(MAX_QUEUES, `must not be greater than ${MAX_QUEUES}`)),
  })(value, path),
  ...handSize(value, `${path}.handSize`),
];

const limitResponse: Check = (value, path) => {
  const { type, queuing: given } = fieldsOf<LimitResponse>(value);
  const at = `${path}.queuing`;
  switch (textOf(type)) {
    case 'Reject':
      return isPresent(given) ? [forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return isPresent(given)
        ? queuing(given, at)
        : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return enumOf('Queue', 'Reject')(type, `${path}.type`);
  }
};

const limited: Check = fields({
  nominalConcurrencyShares: notNegative,
  lendablePercent: percent,
  borrowingLimitPercent: ifPresent(notNegative),
  limitResponse,
} satisfies Partial<Record<keyof LimitedPriorityLevelConfiguration, Check>>);

const byType: Check = (value, path) => {
  const { type, limited: given, exempt } = fieldsOf<PriorityLevelConfigurationSpec>(value);
  switch (textOf(type)) {
    case 'Exempt':
      return [
        ...(isPresent(given) ? [forbidden(`${path}.limited`, 'must be nil if the type is not Limited')] : []),
        ...ifPresent(fields({ nominalConcurrencyShares: notNegative, lendablePercent: percent }))(
          exempt,
          `${path}.exempt`,
        ),
      ];
    case 'Limited':
      return [
        ...(isPresent(exempt) ? [forbidden(`${path}.exempt`, 'must be nil if the type is Limited')] : []),
        ...(isPresent(given)
          ? limited(given, `${path}.limited`)
          : [required(`${path}.limited`, 'must not be empty when type is Limited')]),
      ];
    default:
      return enumOf('Exempt', 'Limited')(type, `${path}.type`);
  }
};

/** Only the level named exempt is exempt. */
const exemptName: Check = (value) => {
  const { metadata, spec } = fieldsOf<Level>(value);
  const { type } = fieldsOf<PriorityLevelConfigurationSpec>(spec);
  const isNamed = fieldsOf<KubernetesObject['metadata']>(metadata).name === 'exempt';
  if (isNamed === (type === 'Exempt')) return [];
  return [invalid('spec.type', textOf(type), "type must be 'Exempt' if and only if name is 'exempt'")];
};

const NONE = '<none>';
const queuingOf = ({ spec }: Level) => spec?.limited?.limitResponse?.queuing;

export const priorityLevelConfigurations = defineResource({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
  status: true,
  hasGeneration: true,
  applyDefaults: applyTypeDefaults,
  defaults: { 'spec.exempt?.nominalConcurrencyShares': 0, 'spec.exempt?.lendablePercent': 0 },
  check: all(exemptName, fields({ spec: byType })),
  checkStatus: fields({ conditions: flowConditions }),
  table: tableOf<Level>(
    nameCell,
    cell('Type', 'Whether its requests are limited.', ({ spec }) => spec?.type ?? ''),
    cell('NominalConcurrencyShares', 'Its share of the server.', ({ spec }) =>
      String(spec?.limited?.nominalConcurrencyShares ?? NONE),
    ),
    cell('Queues', 'How many queues it has.', (it) => String(queuingOf(it)?.queues ?? NONE)),
    cell('HandSize', 'Over how many of them a flow is spread.', (it) => String(queuingOf(it)?.handSize ?? NONE)),
    cell('QueueLengthLimit', 'How many requests wait in each.', (it) =>
      String(queuingOf(it)?.queueLengthLimit ?? NONE),
    ),
    ageCell,
  ),
});
