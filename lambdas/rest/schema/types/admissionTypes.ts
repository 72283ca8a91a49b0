/** The types of admissionregistration.k8s.io, in the notation of parseField.ts. */
export const admissionTypes = {
  'admissionregistration.v1': {
    AuditAnnotation: 'key:1:!string valueExpression:2:!string',
    ExpressionWarning: 'fieldRef:2:!string warning:3:!string',
    MatchCondition: 'name:1:!string expression:2:!string',
    MutatingWebhook: `
      name:1:!string clientConfig:2:WebhookClientConfig rules:3:[]RuleWithOperations
      failurePolicy:4:*string(FailurePolicyType) namespaceSelector:5:meta.v1.LabelSelector
      sideEffects:6:*string(SideEffectClass) timeoutSeconds:7:*int32 admissionReviewVersions:8:[]string
      matchPolicy:9:*string(MatchPolicyType) reinvocationPolicy:10:*string(ReinvocationPolicyType)
      objectSelector:11:meta.v1.LabelSelector matchConditions:12:[]MatchCondition/merge(name)
    `,
    MutatingWebhookConfiguration: 'metadata:1:meta.v1.ObjectMeta webhooks:2:[]MutatingWebhook/merge(name)',
    MatchResources: `
      /atomic namespaceSelector:1:meta.v1.LabelSelector objectSelector:2:meta.v1.LabelSelector
      resourceRules:3:[]NamedRuleWithOperations excludeResourceRules:4:[]NamedRuleWithOperations
      matchPolicy:7:*string(MatchPolicyType)
    `,
    NamedRuleWithOperations: '/atomic resourceNames:1:[]string ...ruleWithOperations:2:RuleWithOperations',
    ParamKind: '/atomic apiVersion:1:string kind:2:string',
    ParamRef: `
      /atomic name:1:string namespace:2:string selector:3:meta.v1.LabelSelector
      parameterNotFoundAction:4:*string(ParameterNotFoundActionType)
    `,
    Rule: 'apiGroups:1:[]string apiVersions:2:[]string resources:3:[]string scope:4:*string(ScopeType)',
    RuleWithOperations: 'operations:1:[]string ...rule:2:Rule',
    ServiceReference: 'namespace:1:!string name:2:!string path:3:*string port:4:*int32',
    TypeChecking: 'expressionWarnings:1:[]ExpressionWarning',
    ValidatingAdmissionPolicy: `
      metadata:1:meta.v1.ObjectMeta spec:2:ValidatingAdmissionPolicySpec status:3:ValidatingAdmissionPolicyStatus
    `,
    ValidatingAdmissionPolicyBinding: 'metadata:1:meta.v1.ObjectMeta spec:2:ValidatingAdmissionPolicyBindingSpec',
    ValidatingAdmissionPolicyBindingSpec: `
      policyName:1:string paramRef:2:ParamRef matchResources:3:MatchResources validationActions:4:[]string/set
    `,
    ValidatingAdmissionPolicySpec: `
      paramKind:1:ParamKind matchConstraints:2:MatchResources validations:3:[]Validation
      failurePolicy:4:*string(FailurePolicyType) auditAnnotations:5:[]AuditAnnotation
      matchConditions:6:[]MatchCondition/merge(name) variables:7:[]Variable/merge(name)
    `,
    ValidatingAdmissionPolicyStatus: `
      observedGeneration:1:int64 typeChecking:2:TypeChecking conditions:3:[]meta.v1.Condition/map(type)
    `,
    ValidatingWebhook: `
      name:1:!string clientConfig:2:WebhookClientConfig rules:3:[]RuleWithOperations
      failurePolicy:4:*string(FailurePolicyType) namespaceSelector:5:meta.v1.LabelSelector
      sideEffects:6:*string(SideEffectClass) timeoutSeconds:7:*int32 admissionReviewVersions:8:[]string
      matchPolicy:9:*string(MatchPolicyType) objectSelector:10:meta.v1.LabelSelector
      matchConditions:11:[]MatchCondition/merge(name)
    `,
    ValidatingWebhookConfiguration: 'metadata:1:meta.v1.ObjectMeta webhooks:2:[]ValidatingWebhook/merge(name)',
    Validation: 'expression:1:!string message:2:string reason:3:*string(StatusReason) messageExpression:4:string',
    Variable: '/atomic name:1:!string expression:2:!string',
    WebhookClientConfig: 'service:1:ServiceReference caBundle:2:bytes url:3:*string',
  },
} as const;
