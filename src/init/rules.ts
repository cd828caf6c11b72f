import type { ColumnRule } from './column-rule.js'

const times = ['datetime', 'timestamp', 'integer'] as const
const days = ['date', ...times] as const

/** The columns by which each field is recognized: names of Laravel, Rails, Django, Hibernate, PHP and others. */
export const rules = {
  createdAt: {
    names: [
      [
        /^(?:created_at|date_created|created_on|created_date|date_creation|creation_date|timecreated|time_created)$/,
        10,
      ],
      [
        /^(?:created|createdat|crdate|create_time|create_date|creation_time|inserted_at|insert_time|date_add|datec)$/,
        9,
      ],
      [
        /^(?:added_at|date_added|added_on|ctime|record_created|made|made_at|created_ts|created_(?:ms|us|s|epoch|unix))$/,
        8,
      ],
      [
        /^(?:registered_at|registration_date|register_date|registered_on|signed_up_at|booked_at|submitted_at)$/,
        6,
      ],
      [/^(?:joined_at|entry_date|registered|purchased_at|ordered_at|time_start|added|entered_on)$/, 4],
    ],
    not: /_by$|_by_|user|_id$/,
    kinds: times,
  },
  updatedAt: {
    names: [
      [
        /^(?:updated_at|date_updated|updated_on|modified_at|date_modified|modified_on|timemodified|time_modified)$/,
        10,
      ],
      [
        /^(?:last_modified|last_modified_at|last_modified_date|modified_date|last_updated|last_updated_at|last_update)$/,
        10,
      ],
      [
        /^(?:updated|updatedat|modified|update_time|updated_date|changed_at|changed|mtime|date_upd|write_date|tms|tstamp)$/,
        9,
      ],
      [
        /^(?:touched|touched_at|edited_at|last_changed|last_change|last_edited|updated_ts|modification_date)$/,
        8,
      ],
      [/^(?:updated|modified|changed)_(?:ms|us|s|epoch|unix|time)$/, 8],
    ],
    not: /_by$|_by_|user|_id$/,
    kinds: times,
  },
  checkedInAt: {
    names: [
      [
        /^(?:checked_in_at|check_in_at|checkin_at|checkedin_at|checked_in_on|check_in_time|checkin_time)$/,
        10,
      ],
      [
        /^(?:checkin_date|check_in_date|arrival_time|arrived_at|attended_at|entered_at|entry_time|checked_in_time)$/,
        9,
      ],
      [
        /^(?:scanned_at|scan_time|admitted_at|redeemed_at|used_at|validated_at|present_at|checkin|check_in|arrived)$/,
        7,
      ],
      [/^(?:checked_in|checkedin|attended|entered)$/, 6],
    ],
    not: /_by$|_by_|_out/,
    kinds: times,
    accepts: ({ kind, type }) => kind !== 'integer' || /^(?:int|bigint)/i.test(type),
  },
  checkedIn: {
    names: [
      [/^(?:is_)?(?:checked_in|checkedin)$|^(?:has_)?(?:checked_in|arrived)$|^(?:did_)?attend(?:ed)?$/, 10],
      [/^(?:is_|has_)?(?:check_in|checkin|attended|present|entered|arrived|admitted|scanned|showed_up)$/, 8],
      [/^(?:is_|has_)?(?:redeemed|used|validated|attendance)$/, 6],
    ],
    kinds: ['integer', 'bit'],
    accepts: ({ kind, type }) => kind === 'bit' || /^(?:tinyint|smallint|bool)/i.test(type),
  },
  email: {
    names: [
      [/^(?:email|e_mail|email_address|mail|emailaddress|mail_address|email_addr)$/, 10],
      [
        /^(?:attendee|participant|registrant|guest|holder|member|person|visitor|user|contact|customer|buyer)_e?_?mail(?:_address)?$/,
        8,
      ],
      [/^(?:primary|contact|main|public|personal)_email(?:_address)?$/, 7],
      [/_email(?:_address)?$/, 4],
    ],
    not: /verified|hash|token|status|sent|template|subject|company|billing_.*body|_id$|organi[sz]er|sales|support/,
    kinds: ['text'],
    accepts: ({ type }) => !/^(?:enum|set|mediumtext|longtext)/i.test(type),
  },
  fullName: {
    names: [
      [/^(?:full_name|fullname|display_name|complete_name)$/, 9],
      [
        /^(?:attendee|participant|registrant|guest|holder|member|person|visitor|contact|customer|buyer)_(?:full_)?name$/,
        9,
      ],
      [/^name$/, 7],
      [/^(?:real_name|sort_name|badge_name|user_name)$/, 3],
    ],
    not: /company|event|file|ticket|product|type/,
    kinds: ['text'],
    accepts: ({ type }) => !/^(?:enum|set|mediumtext|longtext)/i.test(type),
  },
  firstName: {
    names: [
      [/^(?:first_name|firstname|given_name|givenname|forename|fname|name_first)$/, 10],
      [/_(?:first_name|firstname|given_name|forename)$/, 7],
    ],
    kinds: ['text'],
  },
  lastName: {
    names: [
      [/^(?:last_name|lastname|family_name|familyname|surname|lname|name_last|sur_name)$/, 10],
      [/_(?:last_name|lastname|family_name|surname)$/, 7],
    ],
    kinds: ['text'],
  },
  number: {
    names: [
      [
        /^(?:number|invoice_no|invoice_number|invoicenumber|document_number|doc_number|doc_no|bill_no|bill_number)$/,
        10,
      ],
      [
        /^(?:no|num|nr|inv_no|document_no|invoice_num|invoice_nr|number_formatted|formatted_number|full_number)$/,
        9,
      ],
      [
        /^(?:reference_number|serial_number|serial_no|invoice_ref|ref|serial|voucher_no|receipt_no|receipt_number)$/,
        7,
      ],
      [/^(?:reference|code|doc_ref|trxn_id|invoice_code|human_id)$/, 5],
    ],
    not: /vat|tax|phone|account|order|po_|card|track|purchase|house|street|customer|ext/,
    kinds: ['text', 'integer'],
    accepts: ({ type, extra }) =>
      !/^(?:enum|set|mediumtext|longtext|tinyint)/i.test(type) && extra !== 'auto_increment',
  },
  currency: {
    names: [
      [/^(?:currency|currency_code|currencycode|currency_iso|iso_currency|invoice_currency)$/, 10],
      [/^(?:cur|curr|curr_code|currency_iso_code|currency_abbr|cur_code|ccy|currency_short)$/, 9],
      [/_(?:currency|currency_code)$/, 8],
    ],
    not: /rate|symbol|name|base|exchange|convert|_id$/,
    kinds: ['text'],
    accepts: ({ length, type }) => (length >= 3 && length <= 20) || /^enum/i.test(type),
  },
  issueDate: {
    names: [
      [
        /^(?:issue_date|issued_at|date_issued|issued_on|issued|issue_day|invoice_date|invoiced_at|invoiced_on)$/,
        10,
      ],
      [/^(?:bill_date|billed_at|billed_on|document_date|doc_date|datef|date_invoice|dated|invoice_day)$/, 9],
      [
        /^(?:date|billing_date|receive_date|posting_date|posted_at|posted_on|issue_time|issued_(?:us|ms|s|ts))$/,
        8,
      ],
      [/^(?:sent_at|finalized_at|opened_at|published_at|charged_at|day)$/, 4],
    ],
    not: /due|paid|payment/,
    kinds: days,
  },
  dueDate: {
    names: [
      [/^(?:due_date|due_at|due|due_on|date_due|duedate|due_day|invoice_due_date)$/, 10],
      [
        /^(?:payment_due|payment_due_date|payment_due_at|pay_by|payable_by|date_lim_reglement|payment_deadline)$/,
        9,
      ],
    ],
    kinds: days,
  },
} satisfies Record<string, ColumnRule>
