/// What Pillow 13.0.0 makes of the picture of `ResampleQualityTests`; printed by
/// `Scripts/pillow-results.py`.
enum PillowResults {
  /// Filter, width, height, and the pixels in base 64.
  static let all: [(filter: String, width: Int, height: Int, pixels: String)] = [
    (
      "lanczos3", 13, 9,
      """
      DRTVpZ9Ou9FoIpz8aBR/1OxHYagKgYyln7un0WiTyPxjgcfU9LyuqA==
      """
    ),
    (
      "lanczos3", 90, 50,
      """
      BgbOnxQP06UIAMCrJRnUshgIvbhNILq/jUfIxZFHxcuFNrDSkT6z2Hkpnt84CKHlSRas6z4HmPJbHqz4QASP/6o5\
      kPmxO47zv0aV7M1Omea8NXbfWgR32WQGcNN9G4DMZwFjxm4FZb/UM1q50TFZs+I+YazYL0+mGy7TnxEgyKUfKdar\
      HyjYsios2bhiSt6/h1bUxZFe1suFTb/Sk1XF2INGud84HKvlQSGu60olrvJHHqP4TyWp/7FVpvnAYK7zwFul7LxU\
      mebLWpXfaCWP2XYrjdN5KojMfy2FxoEqgr/jWHq54VZ3s+FTcKznV3CmbWjAn2phvKVrX76rb17CsnhizbhKSM2/\
      LDrYxTI92ss1O9PSKyzB2EE4wd+WZMXlnmfB66RovfKpabv4sWmz/11AuPlePrHzbEa07GpBq+ZiO6XfzWyc2ctn\
      mNPEXIjMzmSLxtVkhr96OIm5hTuDs4w+gKyKNXamEU6wnw1HraULQKurH069siFMv7hZaMi/gnjIxYBzxsuWg9rS\
      hW3L2IRu0t9ATNDlSlTU60JHw/JSU8r4S0rC/59rr/m5gcDzvYG67Ll3rubJfavfWUCe2XJSp9NrRpfMbEGQxn1R\
      nb/VcYS51HCEs+R8jKzVaXSmU3mVn2eMqKVfgKGrbImusmZ/qbhNcrS/MWO6xUFvyssrVrbSN12/2EtmyN+Hg8vl\
      kIXR65GBz/Khjdf4sJbZ/2Zv0/lRVbXzXFy37HFrw+ZdWLDftoOs2buErNPJj7LMzo6vxsyIob98XJq5kWmfs49h\
      lKycbZumcKqen2GVjqVvoZ6rdqGjsnCZn7hQiam/N4G5xTd8uMsrbK3SRoTI2D1wsd+IlLnlnqTM66yu2vKmpNP4\
      raPU/01tzvleedfzYXnR7FptwuZZbMHfy6bE2baRrtPQp8HM0KO4xtmltb+HgLu5fm+is5F+q6yKc5ymCYGAnxKG\
      iaURgYqrIo2Xsi2VpLhapqK/i7+pxYe2pct7pprSk7mv2Hujpt85gq7lSI/B60uNwfJdmtT4T4vN/6Covvmzt9Hz\
      vr3b7Lay1Oa7rcbfbZHb2XSP0dN+ltPMdojCxmp9tL/Rqam52LKys/DFvazsu7OmcNCAn3PQg6V1zYarbL9+snXE\
      hrhCpYK/L6GXxTioo8sxnJvSPaSn2DqVlt+Lvp7lpNG165a/p/KVuqX4o8Ct/1CZu/lWmr7zV5jC7FmVw+ZcmtHf\
      wMPI2dTX5NPY1d/My8bLxtDExL9vk8O5dI+0s36UtKx8jaym
      """
    ),
    (
      "catmullRom", 13, 9,
      """
      DxTVpZdKu9FoIpz8bBZ/1OhEYagPhIylk7eo0WmTyPxphMjU7LmwqA==
      """
    ),
    (
      "catmullRom", 90, 50,
      """
      BgbOnxQP06UIAcCrIxjSshcGvbhOIby/i0XHxZJIxsuFNrDSkT6z2HopoN82CKHlSBWr6z8ImPJZHar4QwaQ/6o5\
      kPmxO47zwEeW7MpNlua6NXnfXwd32WQGcNN9G4DMZwFhxnEIZr/RM1y50TFZs+I+YazaMVGmGCzSnw8eyKUcKdir\
      HyjZsiYo2bhgSNy/ilnUxZJc1MuJUMHSlFXD2IZJud80GavlQCGv60glsfJFHqT4TSOn/7RXp/nBX6zzwVyj7L5U\
      l+bJWJTfaieQ2XUrj9N2KIjMeymExn4pgL/iWHm541h6s+RVcqzrV3CmbWnCn2phvKVrX72rb17CsntlzbhMSc6/\
      KTfVxTI92ss1OtPSKy7C2EE4wd+YZcPlnWbB66NnvfKqarz4rmiz/1w/t/ldPbDzaESy7GpCq+ZlPKTfx2ib2clm\
      l9PEXYnMz2WMxtFihL98OIi5gziAs4w+gKyKN3amE06wnw1HraULQKqrH06+sh5Mv7hZZsi/hHrIxYBxxcuWg9rS\
      hm7L2IVx0989S9DlSlPU60FGwvJTU8v4S0vC/6FssPm6gcDzvoC67LZ1rObFe6vfXkKf2XRSp9NrRpfMbEKQxoFS\
      nb/ScYW51HGEs+R7i6zXa3amVXuVn2mMqKVggKKrboqusmmAqrhMcbK/LmG5xUBvyssrVrbSNVq+2Epmyd+MhMzl\
      kobS65GC0PKijtf4r5XY/2Zu0vlSVrbzYF+67G9rw+ZeWK7ftIOs2buEq9PJj7HMzo6txsyJor99XZu5jWees4xh\
      kqybbZmmc6uen2SXj6Vyop6rdqOhsnedorhOiKi/MX22xTR7uMspbK3SQ4HH2DlssN+Rmbzln6TK66us1vKppdT4\
      r6TV/0tszvlcd9fzXnbR7Fhsw+ZcbsPfyqjF2bqUr9PSp7/M0aO2xtiltL+Cfbe5fnCjs4x7qayKc5+mCIGAnxGG\
      iaUTg4qrII2XsiqSorhZpaG/i7+pxYi3pct9p5rSk7mx2Hyjpd84g7HlSY/B60qMwfJYls/4Uo3O/6Covvm1uNHz\
      vLza7Lay0ua4rMbfbpDY2XKP0dN9lNPMdYfBxm5+tb/Rqqy52bOys+3CvKzsu7OmcNCAn3PQg6V0zISrbL98snXE\
      hbhEqIS/LaCXxTioo8sznZvSPaSm2DqVlt+PwKDlpNG165a/pvKWu6b4ob+s/1CZu/lWmsDzV5jC7FmWxOZgmtDf\
      vcHK2dPV49PY1+HMy8bLxs3CxL9yk8K5dpG2s3+Utqx9jq2m
      """
    ),
    (
      "bilinear", 13, 9,
      """
      ExfTpoxFu9FrJZ36dByA1OBDYqkXh42mhq+o0W2Ux/p1isjU4rOwqQ==
      """
    ),
    (
      "bilinear", 90, 50,
      """
      BgbOnxQP06UKAsGrIhbRshgIv7hOIr2/ikTGxZFHxcuGN7HSkT2y2HUmoN82B6HlRxSp60AJmvJXG6j4SQmR/6o5\
      kPmyPI/zwEeW7MhLlea2NHvfYwp52WQHcdN7GoDMZwFjxnUKaL/NMV250jFZs+I8YKzbNFKmGCvSnw0eyKUcKdir\
      HybYsiUo2LheRdm/iljSxZBa0cuKUMHSk1XC2IJGud81GqzlQSKw60omsfJGH6X4UCWm/7RXpvm8XKfzwFqi7L5U\
      l+bCU5PfbSeQ2XUrj9N0JYXMeieDxn4ofr/bUnm541h6s+dVcqzpVm6mbWjCn2phvqVpXb2rcV/EsntlzrhNStC/\
      KDfVxTA82cs1OtPSLC/D2EY7w9+XZcPlnWfB66JnvfKoaLv4qmaz/1o+tfldPK/zZkGw7GlBquZrPqPfxGab2chl\
      ldPFXYrMz2WMxtBhhL+BOYW5gziAs4s8f6yKN3amEU6wnw1FraUNQayrH02+sh9Mv7hYZsi/hXzLxYJ0yMuVgdnS\
      hm7M2IBs0t89StDlR1HS60JHw/JQUcn4T0zA/6Jusfm5gL7zvH+57Lh1q+a+eavfY0ei2XJSqdNsR5nMbkWSxoJU\
      nb/Ob4i51HGEs+J7iazYbXmmUXuWn2SLqqVdgKKraoiusmeAq7hMcLK/MWK3xUFvx8swWbfSO1/A2FFqyd+Hg87l\
      j4XT646A0PKcitX4ppDW/2hv0flaW7rzZmS+7HJqwOZpXrHfsIGt2biErNPEjLDMyIytxsaFor+IY5u5kWmcs5Fj\
      lKyfbZimc6qen2aZkaVxopyrdqGhsnifo7hOiKa/LnmyxTN7uMsqba7SQoDH2D5xst+Um77lnqPJ66ip0vKopNL4\
      qqLV/0tszvlcedfzX3bR7FptxOZjc8TfxqXF2b2XstPQp7/M0aO2xtiktL+EfLO5gHGls4t5qayLdJ+mCYGAnxKI\
      i6UUho2rH4yWsiiQn7hZpaG/i76pxYe2pct+qJzSk7mx2HqjqN85g7LlSI7A60qLwfJVk8z4VI3L/6Gqv/mzt9Hz\
      urrY7Lay0+a0q8nfbo3T2XCMztN9k9DMc4W/xnSCub/OqrC52bOzs+q/uazpubKmcNCAn3PQg6V0zISrbL98snXE\
      hbhGqoa/LaCWxTenossznZzSPqWn2EGamd+QwqHlo9C065e/p/KXvKf4nb2t/1CZu/lWm8DzWJnD7FqWxOZjm83f\
      ucDK2dHT4NPY1d/My8bLxszCxL95l8K5d5K3s3+Utqx/ka+m
      """
    ),
    (
      "box", 13, 9,
      """
      EhTTpYxCudJlIZz8axWA1eA/X6gUhoylibGo0maSyfxpg8fV5bSuqA==
      """
    ),
    (
      "box", 90, 50,
      """
      BgbOnxQP06UIAcCrJBjTsQ8At7d8Or/AjUbHxpdMycyFNrDSkT6z2IcwoN43CqTkRxWs6kAImPNZHKj5SgqS/6o5\
      kPmwOo3zwUmX7cdLlue7OH3eXgRy2GMEbtJ9G4DMZQBhxnAGZMDILVq6zS1WtOtGaKvZMVClGzDVnw8gyKUcKdar\
      JS/fsSQo2beLXtzAjFrUxpNd1MyFTL3SklPB2JtYw94uFqjkNhmn6kQgqvNIIab5Uyip/7ldrfnBYK3zv1ui7btT\
      mOfJWpjedjGY2HkwlNJ4KonMeSeDxnwnf8DbVnu66F1/tOFQbKvpVm2ldnDLn15TsaVsX8CraVa8sXJbxbcWJ8TA\
      JjPUxjU+3MwrMMnSLzDF2Dk1xt6WY8LkkFm06ptds/O0ccP5pV+t/2JEvPlaOKzzYj6t7Wc+qudhMpfeyGmd2NRv\
      oNLFXInMy2CIxstbf8CAOYa6cidxtJBAg6uGMXClEUywnw9HrqUIPairHk2+sSFOwbePh9TAf3PFxntswcyWg9vS\
      hm7M2JN31N5BUNXkTFbX6jxBvPNaWtH5UEzA/6Nusvm6gsHzv4O+7bJxqOfDfK3eYUSe2HRSqNJpQ5TMbUKRxoBS\
      nMDKbIS613WJtOV9jKvVaXOlXoGWn3CRqKVohKGreZGxsXOIq7cZU6vAKmG9xjpuzcwkU7fSKlW72DVdx96Qhsjk\
      lIbL6qKO1/OxmN35spbW/1xp0flKUrfzV1y97W9vzedYU6veu4as2MGGqNLSk7HM2JWwxteQp8B1WZi6imqktIpi\
      mKuXbJ2lcKqbn2SZjqVypJyrbZqXsX2lp7chcKTAN4O8xjN6tswmaqvSRITH2Cpmrd6Rm7rko6vN6q6v2POuq9j5\
      qaLT/1Fz1vlXdNLzZX7Z7VhuxOdpecrew6LB2LiSrdLNo7vM2Ku+xtGgsMCKg7q6fnGltIZ0oquIcpylBn5+nwyA\
      hKUNfYarIo6asSePnreIvafAkcKvxoy5qsx7pZrSkrav2Ienpd4+iLfkTpXH6kKCufNRjsn5XZXV/52kvPm4u9fz\
      t7bW7bOv0ee3rcrec5LY2HmU1dJ9k9DMdojCxm9+tMDQrLK63bW2tPDDvavywbelcNCAn3PQg6V0zISrbcF9sWm5\
      ercjm47AK56VxjqqpcwznZzSPaSm2CyPlt6KvZvkp9W46pW8pPOXvKf5nLys/1CZu/lWm8DzVZW/7V6byOdqodTe\
      vMLN2NXY5dLZ1+HMy8bLxszDxMBwjrq6cY2ztIOYuKuAka6l
      """
    ),
  ]
}
