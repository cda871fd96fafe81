/**
 * The standard formats, as their RFCs have them. zod's own differ: its `uuid` refuses variants, its
 * date-times may lack an offset, its addresses and URLs follow browsers.
 *
 * Internationalized mail addresses and host names are not checked.
 */

import { type Check, refine } from "./check.js";
import { compile } from "./patterns.js";

/** A format that is checked. */
export type Format = keyof typeof FORMATS;

/** The string is of the format `name`. */
export function format(name: Format): Check {
  const matches: (text: string) => boolean = FORMATS[name];
  return refine((value) => typeof value !== "string" || matches(value), `Invalid: expected a ${name}`);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;
/** Whether a label in Punycode, `xn--...`, is a word is not checked. */
const LABEL = /^(?!(?!xn)..--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/i;
const MAIL = /^(?:([^"@]+)|"(?:[ \t!#-[\]-~]|\\[ -~])*")@([^@]+)$/;
/** The longest part in front of the `@`. */
const LOCAL_PART = 64;
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/u;
/** RFC 3986, appendix B: scheme, authority, path, query, fragment. */
const REFERENCE = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/u;
const TEMPLATE =
  /^(?:[^\u0000-\u0020"%<>\\^`{|}\u007f]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?VAR(?:,VAR)*\})*$/.source;
const VARIABLE =
  "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?";
const URI_TEMPLATE = new RegExp(TEMPLATE.replaceAll("VAR", VARIABLE), "u");

/** What may stand in the parts of a URI beside percent escapes; an IRI adds letters of all scripts. */
const UNRESERVED = "A-Za-z0-9._~!$&'()*+,;=\\-";
const INTERNATIONAL =
  "\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{efffd}";

/** What the query of an IRI may hold beside that. */
const PRIVATE = "\\ue000-\\uf8ff\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

type Parts = { user: RegExp; host: RegExp; path: RegExp; query: RegExp; fragment: RegExp };

const URI_PARTS = parts(UNRESERVED);
const IRI_PARTS = parts(UNRESERVED + INTERNATIONAL, PRIVATE);

const FORMATS = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  duration: (text: string) => DURATION.test(text),
  email: isMail,
  hostname: isHost,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: (text: string) => isReference(text, URI_PARTS, true),
  "uri-reference": (text: string) => isReference(text, URI_PARTS, false),
  "uri-template": (text: string) => URI_TEMPLATE.test(text),
  iri: (text: string) => isReference(text, IRI_PARTS, true),
  "iri-reference": (text: string) => isReference(text, IRI_PARTS, false),
  uuid: (text: string) => UUID.test(text),
  "json-pointer": (text: string) => POINTER.test(text),
  "relative-json-pointer": (text: string) => RELATIVE_POINTER.test(text),
  regex: (text: string) => compile(text) !== undefined,
};

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = match.slice(5, 7).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last one of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  const utc = (((hour * 60 + minute - offset) % 1440) + 1440) % 1440;
  return second === 60 && utc === 1439;
}

function isDateTime(text: string): boolean {
  const [, date = "", time = ""] = /^(.{10})[Tt](.*)$/s.exec(text) ?? [];
  return isDate(date) && isTime(time);
}

function isMail(text: string): boolean {
  const match = MAIL.exec(text);
  if (match === null) return false;
  const [, local, domain = ""] = match;
  if (text.length - domain.length - 1 > LOCAL_PART) return false;
  if (local !== undefined && !local.split(".").every((atom) => ATOM.test(atom))) return false;
  if (!domain.startsWith("[")) return isHost(domain);
  const literal = domain.slice(1, -1);
  if (!domain.endsWith("]")) return false;
  return /^IPv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => LABEL.test(label));
}

function isIpv4(text: string): boolean {
  const octets = text.split(".");
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) < 256);
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const all = groups.flat();
  const last = all.at(-1);
  const embedded = last?.includes(".") && !text.endsWith("::");
  if (embedded && !isIpv4(last ?? "")) return false;
  if (!all.slice(0, embedded ? -1 : undefined).every((group) => GROUP.test(group))) return false;
  const count = all.length + (embedded ? 1 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

function isReference(text: string, allowed: Parts, absolute: boolean): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] = REFERENCE.exec(text) ?? [];
  if (scheme === undefined ? absolute : !SCHEME.test(scheme)) return false;
  // Without a scheme, a colon in the first segment would end one.
  const first = path.split("/", 1)[0] ?? "";
  if (scheme === undefined && authority === undefined && first.includes(":")) return false;
  if (!allowed.path.test(path)) return false;
  if (!allowed.query.test(query) || !allowed.fragment.test(fragment)) return false;
  if (authority === undefined) return true;
  const [found, user = "", host = ""] = AUTHORITY.exec(authority) ?? [];
  if (found === undefined || !allowed.user.test(user)) return false;
  return host.startsWith("[") ? isIpLiteral(host.slice(1, -1)) : allowed.host.test(host);
}

function isIpLiteral(text: string): boolean {
  return isIpv6(text) || /^[Vv][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/.test(text);
}

function parts(characters: string, inQuery = ""): Parts {
  const made = (extra: string): RegExp =>
    new RegExp(`^(?:[${characters}${extra}]|%[0-9A-Fa-f]{2})*$`, "u");
  return {
    user: made(":"),
    host: made(""),
    path: made(":@/"),
    query: made(`:@/?${inQuery}`),
    fragment: made(":@/?"),
  };
}
