import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid, notSupported, required } from '../../validation/fieldErrors.ts';
import { findFieldPath } from './findFieldPath.ts';
import { childPath, indexPath } from './fieldPath.ts';
import type { JsonSchemaProps, ValidationRule } from './JsonSchemaProps.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Returns the errors of a node's `x-kubernetes-validations`, except those of the expressions themselves. Pure. */
export function validateRuleTexts(schema: JsonSchemaProps, path: string): FieldError[] {
  return (schema.validations ?? []).flatMap((rule, index) => {
    const at = indexPath(childPath(path, 'x-kubernetes-validations'), index);
    return [...checkMessage(rule, at), ...checkReason(rule, at), ...checkFieldPath(rule, schema, at)];
  });
}

function checkMessage({ rule, message, messageExpression }: ValidationRule, at: string): FieldError[] {
  const field = `${at}.message`;
  const expressionError =
    messageExpression !== '' && messageExpression.trim() === ''
      ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : [];
  const [first] = [
    ...(rule.trim() === '' ? [required(`${at}.rule`, 'rule is not specified')] : []),
    ...(message !== '' && message.trim() === '' ? [invalid(field, message, 'must be non-empty if specified')] : []),
    ...(hasNewlines(message.trim()) ? [invalid(field, message, 'must not contain line breaks')] : []),
    ...(hasNewlines(rule.trim()) && message.trim() === ''
      ? [required(field, 'message must be specified if rule contains line breaks')]
      : []),
  ];
  return first === undefined ? expressionError : [first, ...expressionError];
}

function checkReason({ reason }: ValidationRule, at: string): FieldError[] {
  return reason === undefined || REASONS.includes(reason) ? [] : [notSupported(`${at}.reason`, reason, REASONS)];
}

function checkFieldPath({ fieldPath }: ValidationRule, schema: JsonSchemaProps, at: string): FieldError[] {
  if (fieldPath === '') return [];
  const field = `${at}.fieldPath`;
  return [
    ...(fieldPath.trim() === '' ? [invalid(field, fieldPath, 'must be non-empty if specified')] : []),
    ...(hasNewlines(fieldPath) ? [invalid(field, fieldPath, 'must not contain line breaks')] : []),
    ...('error' in findFieldPath(fieldPath, schema) ? [invalid(field, fieldPath, 'must be a valid path')] : []),
  ];
}

function hasNewlines(text: string): boolean {
  return /[\n\r]/.test(text);
}
