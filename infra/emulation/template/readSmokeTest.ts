import { type DeployedFunction, readFunction } from './readFunctions.ts';
import type { TemplateResolver } from './Template.ts';

/** The smoke test of the template. */
export interface SmokeTestSpec {
  readonly stackId: string;
  /** Of the custom resource. */
  readonly logicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly function: DeployedFunction;
  /** The name of the function's role. */
  readonly role: string;
}

/** Reads the smoke test, after the functions, the API and the roles; `undefined` if the stack has none. */
export function readSmokeTest(
  template: TemplateResolver,
  assetPaths: ReadonlyMap<string, string>,
): SmokeTestSpec | undefined {
  const [[logicalId, properties] = []] = template.resources('Custom::SmokeTest');
  if (logicalId === undefined || properties === undefined) return undefined;
  const { ServiceToken, ...own } = properties;
  const name = referenced(ServiceToken);
  const found = template.resources('AWS::Lambda::Function').find(([id]) => id === name);
  if (!found) throw new Error(`the template has no function ${name}`);
  return {
    stackId: String(template.resolve({ Ref: 'AWS::StackId' })),
    logicalId,
    properties: template.resolve(own) as SmokeTestSpec['properties'],
    function: readFunction(template, found, assetPaths),
    role: referenced(found[1]['Role']),
  };
}

function referenced(value: unknown): string {
  return (value as { readonly 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0] ?? '';
}
