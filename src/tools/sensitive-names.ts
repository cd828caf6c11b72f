/* What the name of a column says of its content. `check` and `facts` ask the same. */

const secret =
  /(^|_)(pass(wd|word|phrase|code)?|pwd|secret|token|api_?key|private(_key)?|salt|hash|otp|pin|remember|session_id|payload|two_factor|tfa|mfa|totp|cvv|iban|ssn|national_id|passport|card_(number|last4)|vat_number|tax_(id|number)|phone|mobile|telephone|fax|birth(day|date)?|dob|ip(_address)?|smtp|(reset|activation|confirmation|verification|invite|access|refresh|backup)_(code|token|key)s?|auth_\w*(id|key|code))($|_)/

/** What is said of such a value, and is no such value itself. */
const about =
  /_(at|on|enabled|attempts?|verified|expires?|expiry|expiration|types?|count|required|visible|dismissed|kind|method|length)$|^(is|has|show|ask|require|allow|needs?)_/

/** Whether a column can hold a secret, a credential or a number of a person, by its name. */
export function isSecretName(name: string): boolean {
  const snake = toSnake(name)
  return secret.test(snake) && !about.test(snake)
}

/** Whether a column is a credential, by its name: no record may show it. */
export function isCredentialName(name: string): boolean {
  return /(^|_)(pass(wd|word|phrase)|pwd|secret|token|api_?key|hash|salt|otp|pin)($|_)/.test(toSnake(name))
}

/** A name in lower case with underscores. */
export function toSnake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase()
}
