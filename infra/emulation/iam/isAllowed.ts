import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
export interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Effect: 'Allow' | 'Deny';
  readonly Resource: string | readonly string[];
}

/** IAM's decision: something must allow it, and nothing deny it. Knows no conditions. Pure. */
export function isAllowed(statements: readonly PolicyStatement[], action: string, resource: string): boolean {
  const concerning = statements.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
      [Resource].flat().some((pattern) => isLike(resource, pattern)),
  );
  return concerning.length > 0 && concerning.every(({ Effect }) => Effect === 'Allow');
}

/** `*` for anything, `?` for one character. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Whether a function, by its name, may do something to something, by its ARN. */
export type MayDo = (functionName: string, action: string, resource: string) => boolean;

interface RoleProperties {
  readonly Policies?: readonly { readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] } }[];
}

/** What each function's role lets it do. Throws for a function whose role is not in the template. */
export function readRoles(template: TemplateResolver): MayDo {
  for (const [logicalId] of template.resources('AWS::Logs::LogGroup')) {
    const arn = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${logicalId}:*`;
    template.deployed(logicalId, { ref: logicalId, attributes: { Arn: arn } });
  }
  const roles = new Map(template.resources('AWS::IAM::Role'));
  const statements = new Map(
    template.resources('AWS::Lambda::Function').map(([name, { Role }]) => {
      const role = (Role as { readonly 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0];
      const properties = roles.get(role ?? '');
      if (!properties) throw new Error(`${name} has no role in the template`);
      const { Policies = [] } = template.resolve({ Policies: properties['Policies'] ?? [] }) as RoleProperties;
      return [name, Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)];
    }),
  );
  return (functionName, action, resource) => isAllowed(statements.get(functionName) ?? [], action, resource);
}
