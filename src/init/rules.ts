import type { ColumnRule } from './column-rule.js'
import type { DescribedColumn } from '../database/description.js'

const times = ['datetime', 'timestamp', 'integer'] as const
const days = ['date', ...times] as const

/** An integer of fewer than four bytes holds no time. */
function canHoldTime({ kind, type }: DescribedColumn): boolean {
  return kind !== 'integer' || /^(?:int|bigint)/i.test(type)
}

/** Text of a row, and no list or document. */
function isShortText({ type }: DescribedColumn): boolean {
  return !/^(?:enum|set|mediumtext|longtext)/i.test(type)
}

const unit = '(?:_(?:ms|us|s|ts|epoch|unix|time))?'
const attendee = '(?:attendee|participant|registrant|delegate|guest|holder|teilnehmer|participante|deelnemer)'
const person =
  '(?:attendee|participant|registrant|guest|holder|member|person|visitor|contact|customer|buyer|student|teilnehmer|participante|deelnemer|kunde|cliente|client|klant)'

/**
 * How the column of each place is recognized. Names are those of Laravel, Rails, Django, Hibernate and PHP, and of
 * products in English, German, French, Spanish, Italian, Dutch and Portuguese; accents do not count.
 */
export const rules = {
  createdAt: {
    names: {
      10: `created_at date_created created_on created_date date_creation creation_date time_?created create_date
        create_time erstellt_am angelegt_am cree_le date_cree fecha_creacion creado_en data_creazione creato_il
        aangemaakt_op criado_em data_criacao oprettet skapad utworzono`,
      9: `created createdat crdate creation_time inserted inserted_at insert_time date_add datec erstellt angelegt created${unit}
        fecha_alta creado aangemaakt erfasst_am`,
      8: `added_at date_added added_on ctime record_created made made_at creation cdate crtime
        (?:timestamp|datetime)_(?:created|creation|creator|added|insert(?:ed)?)`,
      6: `registered_at registration_date register_date registered_on signed_up_at booked_at submitted_at signup_date
        order_date ordered_at purchase_date bestelldatum anmeldedatum date_inscription fecha_inscripcion
        data_iscrizione inschrijfdatum booking_date enrolled_at time_?start`,
      4: 'joined_at entry_date registered purchased_at added entered_on applied_at timestamp date_commande',
    },
    not: /_by$|_by_|user|_id$|password/,
    kinds: times,
    accepts: canHoldTime,
  },
  updatedAt: {
    names: {
      10: `updated_at date_updated updated_on modified_at date_modified modified_on time_?modified last_modified
        last_modified_at last_modified_date modified_date last_updated last_updated_at last_update geaendert_am
        aktualisiert_am modifie_le date_modification fecha_modificacion actualizado_en data_modifica modificato_il
        gewijzigd_op atualizado_em bijgewerkt_op`,
      9: `updated updatedat modified update_time updated_date changed_at changed mtime date_upd write_date tms tstamp
        geandert_am geandert geaendert aktualisiert gewijzigd modifie actualizado modificado date_modif lastmod`,
      8: `touched touched_at edited_at last_changed last_change last_edited updated_ts modification_date udate
        (?:updated|modified|changed)${unit} (?:timestamp|datetime)_(?:updated?|modified|changed?) letzte_aenderung lastchange last_modification`,
    },
    not: /_by$|_by_|user|_id$|password|status_/,
    kinds: times,
    accepts: canHoldTime,
  },
  checkedInAt: {
    names: {
      10: 'checked_?in_at check_?in_at checked_in_on check_?in_time eingecheckt_am ingecheckt_op',
      9: `check_?in_date arrival_time arrived_at attended_at entered_at entry_time checked_in_time anwesend_seit
        heure_arrivee hora_entrada hora_llegada aankomst arrivee_le ingresso_il`,
      7: `scanned_at scan_time admitted_at redeemed_at used_at validated_at present_at check_?in arrived
        data_ingresso`,
      6: 'checked_?in attended entered',
    },
    not: /_by$|_by_|_out/,
    kinds: times,
    accepts: canHoldTime,
  },
  checkedIn: {
    names: {
      10: `(?:is_)?checked_?in (?:has_)?(?:checked_in|arrived) (?:did_)?attend(?:ed)? eingecheckt ingecheckt anwesend
        aanwezig presente asistio`,
      8: `(?:is_|has_)?(?:check_?in|attended|present|entered|arrived|admitted|scanned|showed_up) teilgenommen
        asistencia presence presenza presenca acreditado erschienen tilstede`,
      6: '(?:is_|has_)?(?:redeemed|used|validated|attendance)',
    },
    kinds: ['integer', 'bit'],
    accepts: ({ kind, type }) => kind === 'bit' || /^(?:tinyint|smallint|bool)/i.test(type),
  },
  email: {
    names: {
      10: `e?_?mail email_?address mail_address email_addr emailadres e_mail_adresse courriel correo epost e_post
        ${attendee}_e?_?mail(?:_address)?`,
      8: `${person}_e?_?mail(?:_address)? correo_electronico adresse_mail correo_${person} e?mail_${person}`,
      7: '(?:primary|contact|main|public|personal|private)_email(?:_address)? email_1',
      4: '[a-z0-9_]+_e?mail(?:_address)?',
    },
    not: /verified|hash|token|status|sent|template|subject|company|billing_.*body|_id$|organi[sz]er|sales|support|bounce|invite/,
    kinds: ['text'],
    accepts: isShortText,
  },
  fullName: {
    names: {
      9: `full_?name display_name complete_name nombre_completo nome_completo nom_complet ${person}_(?:full_)?name
        name_${person} nom_${person} nombre_${person} nome_${person}`,
      7: 'name nombre nome naam nom imie_nazwisko navn namn person_name',
      3: 'real_name sort_name badge_name user_?name',
    },
    not: /company|event|file|ticket|product|type/,
    kinds: ['text'],
    accepts: isShortText,
  },
  firstName: {
    names: {
      10: `first_?name given_?name forename fname name_first vorname prenom nombres? voornaam nome imie fornavn
        fornamn primer_nombre`,
      7: '[a-z0-9_]+_(?:first_?name|given_name|forename|vorname|prenom|voornaam)',
    },
    kinds: ['text'],
  },
  lastName: {
    names: {
      10: `last_?name family_?name surname lname name_last sur_name nachname familienname nom apellidos? cognome
        achternaam sobrenome apelido nazwisko etternavn efternavn efternamn primer_apellido`,
      7: '[a-z0-9_]+_(?:last_?name|family_name|surname|nachname|achternaam|apellidos?|cognome)',
    },
    kinds: ['text'],
  },
  number: {
    names: {
      11: '(?:full|formatted|complete|display)_(?:(?:invoice|document|bill|inv)_)?(?:no|number|nr)',
      10: `number invoice_?no invoice_?number document_number doc_number doc_no bill_no bill_number facnumber
        rechnungs?_?(?:nummer|nr) belegnummer beleg_nr num(?:ero)?_(?:de_)?(?:factura|facture|fattura|documento|fatura)
        (?:factura|facture|fattura|fatura|factuur)_?(?:nummer|nr|num|numero) numero_completo`,
      9: `no num nr inv_no document_no invoice_num invoice_nr number_formatted
        nummer numero folio invoice_key`,
      7: `reference_number serial_number serial_no invoice_ref ref serial voucher_no receipt_no receipt_number
        reference order_number order_no order_reference invoice_reference bestellnummer`,
      5: 'code doc_ref invoice_code human_id name invoice_id',
      3: 'trxn_id transaction_id transaction_number',
    },
    not: /vat|tax|phone|account|po_|card|track|purchase|house|street|customer|ext|client|supplier/,
    kinds: ['text', 'integer'],
    accepts: ({ type, extra }) =>
      !/^(?:enum|set|mediumtext|longtext|tinyint)/i.test(type) && extra !== 'auto_increment',
  },
  currency: {
    names: {
      10: 'currency currency_?code currency_iso iso_currency invoice_currency waehrung devise moneda valuta moeda divisa',
      9: `cur curr curr_code currency_iso_code currency_abbr cur_code ccy currency_short wahrung valuta_code
        moneda_codigo code_devise multicurrency_code`,
      8: '[a-z0-9_]+_(?:currency|currency_code|waehrung|devise|moneda|valuta)',
    },
    not: /rate|symbol|name|base|exchange|convert|_id$/,
    kinds: ['text'],
    accepts: ({ length, type }) => (length >= 3 && length <= 20) || /^enum/i.test(type),
  },
  issueDate: {
    names: {
      10: `issue_date issued_at date_issued issued_on issued issue_day invoice_date invoiced_at invoiced_on
        rechnungsdatum ausgestellt_am date_emission emise_le fecha_emision fecha_factura data_emissione emessa_il
        data_fattura factuurdatum date_facture data_emissao fakturadato fakturadatum`,
      9: `bill_date billed_at billed_on document_date doc_date datef date_invoice dated invoice_day belegdatum
        fecha_documento data_documento`,
      8: `date billing_date receive_date posting_date posted_at posted_on issue_time issued_(?:us|ms|s|ts) datum fecha
        data date_validation order_date`,
      4: 'sent_at finalized_at opened_at published_at charged_at day date_valid',
    },
    not: /due|paid|payment/,
    kinds: days,
    accepts: canHoldTime,
  },
  dueDate: {
    names: {
      10: `due_?date due_at due due_on date_due due_day invoice_due_date faellig_am faelligkeit falligkeit fallig_am
        faelligkeitsdatum date_echeance echeance fecha_vencimiento vencimiento data_scadenza scadenza vervaldatum
        vencimento data_vencimento forfallsdato forfaldsdato forfallodatum termin_platnosci`,
      9: `payment_due payment_due_date payment_due_at pay_by payable_by date_lim_reglement payment_deadline zahlbar_bis
        zahlungsziel`,
    },
    kinds: days,
    accepts: canHoldTime,
  },
  startsAt: {
    names: {
      3: `starts?(?:_?(?:at|on|date|time|datetime|day))? (?:date|time|event)_?(?:start|begin|from|debut|inicio) begins?
        (?:begin|start|event)_?(?:date|time|datetime) begin_at beginn starttijd startdatum date_debut debut_le
        fecha_inicio inicio inizio data_inizio data_inicio aanvang von datum_von starts held_on held_at`,
    },
    kinds: [...days, 'text'],
  },
  seats: {
    names: {
      2: `capacity max_(?:seats|participants|attendees|capacity|persons) seats location venue venue_id place
        location_id ort plaetze lieu aforo lugar luogo posti locatie plaatsen max_teilnehmer loc_block_id`,
    },
    kinds: ['integer', 'text'],
  },
} satisfies Record<string, ColumnRule>
