import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { fields } from '../validation/checks.ts';
import { deviceConfigurations, deviceSelectors } from '../validation/storage/deviceClaims.ts';

export const deviceClasses = defineResource({
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  since: 34,
  plural: 'deviceclasses',
  namespaced: false,
  hasGeneration: true,
  applyDefaults: (draft) => void childDraft(draft, 'spec'),
  check: fields({ spec: fields({ selectors: deviceSelectors, config: deviceConfigurations }) }),
});
