import { describe, expect, it } from 'vitest';
import { TemplateResolver } from '../../../infra/emulation/template/Template.ts';

const template = new TemplateResolver({ Resources: {} }, 'stack');
template.setDeployed('Queue', { ref: 'url', attributes: { Arn: 'arn:queue' } });

describe('resolving a template', () => {
  it.each([
    ['replaces a reference to a resource', { Ref: 'Queue' }, 'url'],
    ['replaces a reference to an attribute', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:queue'],
    ['joins strings', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, { Ref: 'Queue' }]] }, 'a-us-east-1-url'],
    ['splits strings and selects a part', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['substitutes references in a string', { 'Fn::Sub': 'x/${Queue.Arn}/${AWS::StackName}' }, 'x/arn:queue/stack'],
    ['substitutes variables in a string', { 'Fn::Sub': ['x/${Y}', { Y: { Ref: 'Queue' } }] }, 'x/url'],
    ['replaces nested references', { A: [{ B: { Ref: 'AWS::AccountId' } }] }, { A: [{ B: '000000000000' }] }],
  ])('%s', (_, value, expected) => expect(template.resolve(value)).toEqual(expected));

  it.each([
    ['a resource that is not deployed', { Ref: 'Bucket' }, 'Bucket'],
    ['an unsupported function', { 'Fn::Cidr': [] }, 'Fn::Cidr'],
  ])('fails for %s', (_, value, message) => expect(() => template.resolve(value)).toThrow(message));
});
