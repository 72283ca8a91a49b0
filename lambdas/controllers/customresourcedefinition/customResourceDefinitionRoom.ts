import { DEFINITIONS } from '../../registry/customresources/CustomResourceDefinition.ts';
import type { ControllerRoom } from '../ControllerRoom.ts';
import { createCustomResourceDefinitionController } from './createCustomResourceDefinitionController.ts';
import { definitionReasons } from './definitionReasons.ts';

export const customResourceDefinitionRoom = {
  name: 'customresourcedefinition',
  about: DEFINITIONS,
  needs: [DEFINITIONS],
  isClusterScoped: true,
  shortNames: ['crd'],
  reasons: definitionReasons,
  create: ({ ports, lateCreatesMs, definitionsRememberMs: rememberMs = 0 }) =>
    createCustomResourceDefinitionController({ ...ports, lateCreatesMs, rememberMs }),
} as const satisfies ControllerRoom;
