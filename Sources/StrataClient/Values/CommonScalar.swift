/// The types that most columns have: each is read by code of its own, which goes through no protocol.
package enum CommonScalar {
    case string, int, double, bool, date, uuid
}
