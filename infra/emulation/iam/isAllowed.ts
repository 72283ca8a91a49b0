import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';

export interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Effect: 'Allow' | 'Deny';
  readonly Resource: string | readonly string[];
}

/** IAM's decision: at least one statement must allow the action and none may deny it. Conditions are not supported. Pure. */
export function isAllowed(statements: readonly PolicyStatement[], action: string, resource: string): boolean {
  const concerning = statements.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
      [Resource].flat().some((pattern) => isLike(resource, pattern)),
  );
  return concerning.length > 0 && concerning.every(({ Effect }) => Effect === 'Allow');
}

/** In a pattern, `*` stands for any text and `?` for one character. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Returns true if the function may do the action on the resource, which is an ARN. */
export type IsPermitted = (functionName: string, action: string, resource: string) => boolean;

interface RoleProperties {
  readonly Policies?: readonly { readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] } }[];
}

/** Registers all roles, so that other resources can refer to them. */
export function nameRoles(template: TemplateResolver): void {
  for (const [logicalId] of template.resources('AWS::IAM::Role')) {
    const arn = `arn:aws:iam::${ACCOUNT}:role/${logicalId}`;
    template.setDeployed(logicalId, { ref: logicalId, attributes: { Arn: arn } });
  }
}

/** Reads the permissions of the role of each function and container, after `nameRoles`. Throws if a role is not in the template. */
export function readRoles(template: TemplateResolver): IsPermitted {
  for (const [logicalId] of template.resources('AWS::Logs::LogGroup')) {
    const arn = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${logicalId}:*`;
    template.setDeployed(logicalId, { ref: logicalId, attributes: { Arn: arn } });
  }
  const roles = new Map(template.resources('AWS::IAM::Role'));
  const statements = new Map(
    [
      ...template.resources('AWS::Lambda::Function').map(([name, { Role }]) => [name, Role] as const),
      ...template.resources('AWS::ECS::TaskDefinition').map(([name, { TaskRoleArn }]) => [name, TaskRoleArn] as const),
    ].map(([name, reference]) => {
      const role = (reference as { readonly 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0];
      const properties = roles.get(role ?? '');
      if (!properties) throw new Error(`${name} has no role in the template`);
      const { Policies = [] } = template.resolve({ Policies: properties['Policies'] ?? [] }) as RoleProperties;
      return [name, Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)];
    }),
  );
  return (functionName, action, resource) => isAllowed(statements.get(functionName) ?? [], action, resource);
}
