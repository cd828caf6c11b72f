/** Words in the singular and without accents, with how surely each means something. */
export type Words = Readonly<Record<string, number>>

/** One entry for each word of a text. */
function toWords(lists: Readonly<Record<number, string>>): Words {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([points, text]) =>
      text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => [word, Number(points)] as const),
    ),
  )
}

/** Words for a tenant; `customer` and `user` mostly mean somebody else. */
export const tenantWords = toWords({
  8: 'workspace tenant organization organisation mandant organizacion organizacao organizzazione organisatie',
  7: 'org account company team entity empresa azienda societe entreprise bedrijf vereniging verein firma spolka',
  6: `club shop store merchant agency business organizer organiser association entite entidad filiale boutique
      tienda loja negozio winkel mandator azienda asociacion associazione escola escuela scuola schule ecole school
      institution academy campus franchise publisher venue_group`,
  5: 'community site domain unit branch domaine sede filial standort',
  4: 'brand group',
})

/** Words for what people register for. */
export const eventWords = toWords({
  10: 'event evento evenement veranstaltung evenement wydarzenie tapahtuma arrangement begivenhet',
  8: 'gathering conference konferenz congreso conferencia conferenza congre congres konferencja tagung',
  7: `occurrence meeting webinar activity occasion course meetup workshop kurs cour cours curso corso cursus kur
      lehrgang seminar seminario seminaire atelier taller activiteit actividad atividade attivita activite aktivitet
      lesson formation formazione formacion schulung bijeenkomst manifestation sortie`,
  6: `show performance festival concert konzert concierto concerto tournament turnier torneo tournoi race camp excursion
      fair lager salon feria turma retreat lecture symposium vorstellung voorstelling spectacle`,
  5: 'match class session training tour trip klasse clase seance termin voyage viaje turno slot reise fixture game',
  4: 'edition program programme project ausgabe edicion season',
})

/** Words for a table of registrations. */
export const registrationWords = toWords({
  10: 'registration attendee registrant anmeldung inscription inscripcion iscrizione inscricao inschrijving aanmelding',
  9: `participant participation rsvp teilnehmer teilnahme participante partecipante deelnemer deltaker deltagare
      asistente participacion partecipazione deltager uczestnik`,
  8: `signup enrollment enrolment delegate paamelding pamelding anmalan matricula zgloszenie ilmoittautuminen
      inscrit iscritto inscrito deelname`,
  7: 'ticket booking attendance admission guest buchung reserva reservering prenotazione kartu billet',
  6: 'reservation zapisy zapis boeking gast eintrittskarte billete biglietto invitee',
  5: 'visitor besucher visiteur membership',
  4: 'entry seat pass place sign platz',
  3: 'order commande bestellung pedido ordine',
})

/** Words for a table of invoices. */
export const invoiceWords = toWords({
  10: 'invoice facture factura fattura rechnung fatura factuur faktura lasku ceku racun szamla',
  8: 'bill receipt_invoice rechnungskopf notafiscal',
  5: 'billing document receipt contribution quittung recibo cobro beleg documento dokument',
  4: 'due fee charge voucher doc order sale transaction beitrag cuota pedido commande bestellung ordine purchase bestelling',
  3: 'payment subscription dues',
})

/** Words for people whose name and address a registration can show, with how surely each is the attendee. */
export const personWords = toWords({
  4: 'attendee registrant participant teilnehmer participante partecipante deelnemer deltaker',
  3: `guest member contact person student pupil mitglied membre miembro socio lid contacto contatto kontakt personne
      persona pessoa persoon adherent schueler eleve alumno alumne aluno studente leerling medlem osoba tiers soc`,
  2: 'profile customer order buyer booking visitor kunde cliente klant besteller commande buchung player patient',
  1: 'client user purchase benutzer utilisateur usuario utente gebruiker speler',
  0: 'account',
})
