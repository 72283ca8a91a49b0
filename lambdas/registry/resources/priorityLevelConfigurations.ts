import type { PriorityLevelConfiguration as ApiLevel } from 'kubernetes-types/flowcontrol/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { childDraft, presentDraft } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { flowConditions } from '../validation/access/flowSchemaRules.ts';
import { validatePriorityLevel } from '../validation/access/validatePriorityLevel.ts';

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
  checkStatus: fields({ conditions: flowConditions }),
  strategy: { validate: validatePriorityLevel, validateUpdate: validatePriorityLevel },
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
