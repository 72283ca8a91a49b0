import type { DriftlessStackProps } from '../cdk/DriftlessStackProps.ts';
import type { ConcurrencyPlan } from '../cdk/planConcurrency.ts';
import type { TemplateResource, TemplateResources } from './AccountReads.ts';

/** What `cdk deploy` would deploy with the user's knobs. */
export interface Plan {
  readonly stackName: string;
  /** The knobs with their defaults. */
  readonly props: DriftlessStackProps;
  readonly concurrency: ConcurrencyPlan;
  /** The template's, by logical id. */
  readonly resources: TemplateResources;
  readonly bootstrap: BootstrapNeed;
}

/** What the CDK's templates demand of the region's bootstrap stack. */
export interface BootstrapNeed {
  /** The parameter of Systems Manager that holds its version. */
  readonly parameter: string;
  readonly leastVersion: number;
}

/** The resources of a type. */
export function resourcesOfType(resources: TemplateResources, type: string): readonly TemplateResource[] {
  return Object.values(resources).filter(({ Type }) => Type === type);
}
